/* Whether pairs by index look shifted: the first frames are aligned by content as well. docs/alignment.md */
#ifndef FV_ALIGN_SHIFT_H
#define FV_ALIGN_SHIFT_H

#include "align/path.h"

#define FV_SHIFT_FRAMES 96 /* that are looked at */

typedef struct FvShift {
    FvAlignVideo video[2]; /* room for FV_SHIFT_FRAMES signatures each */
} FvShift;

FvStatus fv_shift_open(FvShift *shift, FvError *error);
void fv_shift_close(FvShift *shift);

/* The signatures of the next pair, of pictures of at least 64x36. Those after the first ones are left out. */
void fv_shift_add(FvShift *shift, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE]);

/* How many frames the distorted video is late, or 0 when pairs by index fit or nothing is certain. */
FvStatus fv_shift_find(FvShift *shift, int64_t *offset, FvError *error);

#endif
