/*
 * Makes the Y'CbCr variants of frames, for sessions in which some metrics read frames as they are, or as RGB, and
 * others as Y'CbCr. The variant is attached to its frame (fv_frame_ycbcr()).
 */
#pragma once

#include "picture/prepare.h"

typedef struct FvVariants FvVariants;

/* Returns the format of the Y'CbCr variant of RGB frames. matrix: code point of the matrix. */
FvFormat fv_variant_format(const FvFormat *rgb, int matrix);

/*
 * Opens a converter of frames of format `from`. matrix: code point of the matrix that converts them to Y'CbCr; 0:
 * they are Y'CbCr already. The result is then prepared by `params`, whose input is the format of fv_variant_format(),
 * or `from`.
 */
FvStatus fv_variants_open(FvVariants **variants, const FvFormat *from, int matrix, const FvPrepareParams *params,
                          FvIsa isa, int threads, FvError *error);

/*
 * Replaces *frame by the prepared frame, with its Y'CbCr variant attached. Both get the transfer and primaries of
 * `tags`. variants, preparation and tags may be NULL.
 */
FvStatus fv_variants_prepare(FvVariants *variants, FvPreparation *preparation, const FvFormat *tags, FvFrame **frame,
                             FvError *error);

void fv_variants_close(FvVariants **variants);
