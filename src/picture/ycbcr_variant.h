/*
 * Frames that some metrics get as they are, or as RGB, and others as Y'CbCr: the Y'CbCr is made next to the frame
 * and goes with it (fv_frame_ycbcr).
 */
#pragma once

#include "picture/prepare.h"

typedef struct FvVariants FvVariants;

/* Returns the format of the Y'CbCr variant of RGB frames with the matrix of this code point. */
FvFormat fv_variant_format(const FvFormat *rgb, int matrix);

/*
 * Opens a converter of frames of format `from`. matrix: code point of the matrix that converts them to Y'CbCr; 0:
 * they are Y'CbCr already. The result is then prepared as `params` say, which are for the format of
 * fv_variant_format(), or for `from`.
 */
FvStatus fv_variants_open(FvVariants **variants, const FvFormat *from, int matrix, const FvPrepareParams *params,
                          FvIsa isa, int threads, FvError *error);

/*
 * Replaces a frame by the prepared one, with which the Y'CbCr of the frame goes. Both get the transfer and primaries
 * of `tags`. All three may be NULL.
 */
FvStatus fv_variants_prepare(FvVariants *variants, FvPreparation *preparation, const FvFormat *tags, FvFrame **frame,
                             FvError *error);

void fv_variants_close(FvVariants **variants);
