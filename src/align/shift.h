/*
 * Finds whether pairs by index show the same pictures: aligns the first pairs by content to find the offset of the
 * beginnings, and follows all pairs to find where the videos differ later. docs/alignment.md
 */
#pragma once

#include "align/follow.h"
#include "align/path.h"
#include "align/reverse.h"

#define FV_SHIFT_FRAMES 96 /* number of pairs that are aligned */

typedef struct FvShift {
    FvAlignVideo video[2]; /* the first pairs, until they are aligned */
    bool on, settled;      /* (`on`) pairs are examined; (`settled`) the first pairs are aligned */
    int64_t pairs, most;   /* number of pairs added; maximum number of pairs examined, 0: all */
    int64_t offset;        /* distorted frame n shows reference frame n + offset */
    FvFollow *follow;      /* follows all pairs; NULL until `settled` */
    int64_t *numbers; /* numbers of the pairs' distorted frames, if they differ from the pairs' numbers; else NULL */
    int64_t numbered, room;
    FvReverse reverse; /* search for a reversed video, over all pairs */
    bool reversed;     /* valid at the end: the distorted video runs backwards */
} FvShift;

/* Opens the search. The caller closes it, also after an error. */
FvStatus fv_shift_open(FvShift *shift, FvError *error);
void fv_shift_close(FvShift *shift);

/* Adds the sampled signatures of the next pair, whose pictures have at least 64x36 samples. */
FvStatus fv_shift_add(FvShift *shift, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE],
                      FvError *error);

/*
 * Sets the number of the pair's distorted frame. Call it before fv_shift_add(), unless that number always equals the
 * pair's.
 */
FvStatus fv_shift_number(FvShift *shift, int64_t number, FvError *error);
int64_t fv_shift_frame(const FvShift *shift, int64_t pair);

/* Ends the search after the last pair; all results are then final. */
FvStatus fv_shift_end(FvShift *shift, FvError *error);
