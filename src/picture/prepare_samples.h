/* The steps of a preparation on single samples: tables for input samples, matrix, lower depth. docs/scaling.md */
#pragma once

#include "fovea/fovea.h"

typedef enum FvMatrixStep { FV_MATRIX_KEEP, FV_MATRIX_601_TO_709, FV_MATRIX_709_TO_601 } FvMatrixStep;

/* Fills table[v] for v in [0, 2^depth): the luma or chroma sample v at `deep` bits and in `to_range`. */
void fv_prepare_table(uint16_t *table, int depth, int deep, FvRange range, FvRange to_range, bool chroma);

/* Reduces samples from `depth` to `shallow` bits. */
typedef struct FvReduction {
    int depth, shallow;
    bool full, dither;
} FvReduction;

/* Reduces `count` samples, from column x of row y on; the position selects the thresholds of dithering. */
void fv_prepare_reduce(uint8_t *out, const uint16_t *row, int count, int x, int y, const FvReduction *reduction);

/* Change the matrix in place: of a row of luma, with chroma at the positions of luma, or of a row of Cb and Cr. */
void fv_prepare_matrix_luma(uint16_t *luma, const uint16_t *cb, const uint16_t *cr, int count, FvMatrixStep step,
                            bool full, int depth);
void fv_prepare_matrix_chroma(uint16_t *cb, uint16_t *cr, int count, FvMatrixStep step, bool full, int depth);
