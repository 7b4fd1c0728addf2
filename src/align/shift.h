/* Finds out whether pairs by index are shifted, by aligning the first frames by content. docs/alignment.md */
#pragma once

#include "align/path.h"

#define FV_SHIFT_FRAMES 96 /* number of frames that are aligned */

typedef struct FvShift {
    FvAlignVideo video[2]; /* room for FV_SHIFT_FRAMES signatures each */
} FvShift;

FvStatus fv_shift_open(FvShift *shift, FvError *error);
void fv_shift_close(FvShift *shift);

/* Adds the signatures of the next pair, of pictures of at least 64x36. Pairs after FV_SHIFT_FRAMES are ignored. */
void fv_shift_add(FvShift *shift, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE]);

/* *offset: the number of frames by which the distorted video is late. 0 when pairs by index fit or nothing is
 * certain. */
FvStatus fv_shift_find(FvShift *shift, int64_t *offset, FvError *error);
