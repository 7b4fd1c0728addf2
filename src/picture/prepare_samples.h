/* What a preparation does to single samples: tables for what comes in, and the reduction of depth. docs/scaling.md */
#ifndef FV_PICTURE_PREPARE_SAMPLES_H
#define FV_PICTURE_PREPARE_SAMPLES_H

#include "picture/prepare.h"

/*
 * table[v] for v in [0, 2^depth): the sample at `deep` bits and in the other range. Luma, or chroma.
 */
void fv_prepare_table(uint16_t *table, int depth, int deep, FvRange range, FvRange to_range, bool chroma);

/* Row y of a plane, from `depth` to `shallow` bits. */
typedef struct FvReduction {
    int depth, shallow;
    bool full, dither;
} FvReduction;

void fv_prepare_reduce(uint8_t *out, const uint16_t *row, int count, int x, int y, const FvReduction *reduction);

/* A row of luma by the chroma samples that lie at it, and a row of Cb and Cr, in place. Words of `depth` bits. */
void fv_prepare_matrix_luma(uint16_t *luma, const uint16_t *cb, const uint16_t *cr, int count, FvMatrixStep step,
                            bool full, int depth);
void fv_prepare_matrix_chroma(uint16_t *cb, uint16_t *cr, int count, FvMatrixStep step, bool full, int depth);

#endif
