/*
 * Frames that some metrics get as they are, or as RGB, and others as Y'CbCr: the Y'CbCr is made next to the frame
 * and goes with it (fv_frame_ycbcr).
 */
#pragma once

#include "picture/prepare.h"

typedef struct FvTwins FvTwins;

/* The format of the Y'CbCr that is made of RGB by the matrix of this code point. */
FvFormat fv_twins_from(const FvFormat *rgb, int matrix);

/*
 * Of frames of format `from`. matrix: by which they become Y'CbCr; 0: they are that. What comes of it is prepared as
 * `params` say for fv_twins_from, or for `from`.
 */
FvStatus fv_twins_open(FvTwins **twins, const FvFormat *from, int matrix, const FvPrepareParams *params, FvIsa isa,
                       int threads, FvError *error);

/*
 * Replaces a frame by the prepared one, with which the Y'CbCr of the frame goes. Both get the transfer and primaries
 * of `tags`. All three may be NULL.
 */
FvStatus fv_twins_prepare(FvTwins *twins, FvPreparation *preparation, const FvFormat *tags, FvFrame **frame,
                          FvError *error);

void fv_twins_close(FvTwins **twins);
