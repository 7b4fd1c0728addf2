/* The signature of a frame: the means of luma in 32 by 18 blocks, scaled to 16 bits. docs/alignment.md */
#pragma once

#include "arith/scalar.h"
#include "arith/signature.h"
#include "fovea/fovea.h"

#define FV_SIGNATURE (FV_SIGNATURE_COLUMNS * FV_SIGNATURE_ROWS)
#define FV_SIGNATURE_QUIET (FV_SIGNATURE * 16) /* the distance of a sixteenth of an 8-bit code in each block */

/* Computes the signature of a frame of at least 32x18 samples that the host can read. */
void fv_signature_make(int32_t signature[FV_SIGNATURE], const FvFrame *frame);

/* A part of a frame's luma whose samples are converted as they are read. */
typedef struct FvLuma {
    const uint8_t *data;
    ptrdiff_t stride; /* bytes from one row to the next */
    int width, height;
    int bytes;             /* bytes per sample */
    int depth;             /* depth of the converted samples */
    int shift;             /* samples are multiplied by 2^shift */
    const uint16_t *table; /* lookup table for samples; or NULL */
} FvLuma;

FvLuma fv_luma_of(const FvFrame *frame);

/* Adds rows [y, y + 4), as stored, to the sums of their columns, which must fit 16 bits. */
void fv_luma_add_four(uint16_t *column, const FvLuma *luma, int y);

/*
 * A sampled signature: the means of a few rows of each block, cheap enough to compute for every frame of a video.
 * fv_sample_add() adds the sampled rows in [first, end) to the sums of the blocks, which start at zero; parts may be
 * added in any order. fv_sample_end() makes the signature from the sums of all rows. Pictures have at least 32x18
 * samples.
 */
void fv_sample_add(uint64_t sums[FV_SIGNATURE], const FvLuma *luma, int first, int end);
int fv_sample_next(const FvLuma *luma, int y); /* returns the first sampled row from y on; INT_MAX: none */
void fv_sample_end(int32_t signature[FV_SIGNATURE], const FvLuma *luma, const uint64_t sums[FV_SIGNATURE]);
void fv_sample_make(int32_t signature[FV_SIGNATURE], const FvLuma *luma);

/* Makes a signature from a GPU's sums of a frame's luma. */
void fv_sample_take(int32_t signature[FV_SIGNATURE], const FvFormat *format, const uint32_t sums[FV_SIGNATURE]);

/* Returns the sum of absolute differences. */
int32_t fv_signature_distance(const int32_t a[FV_SIGNATURE], const int32_t b[FV_SIGNATURE]);
