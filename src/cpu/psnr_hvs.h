/* Kernels of PSNR-HVS on the CPU. */
#pragma once

#include "base/isa.h"

/* One plane of a frame pair. */
typedef struct FvHvsPlane {
    const uint8_t *ref, *dis;
    ptrdiff_t ref_stride, dis_stride; /* distances between rows in bytes */
    int index;                        /* 0: luma, 1: Cb, 2: Cr; selects the tables */
    int depth;                        /* 8: bytes; 9 to 12: 16-bit words */
    int columns, rows; /* number of columns and rows of blocks, which start every FV_HVS_STEP samples */
} FvHvsPlane;

/* The intermediate results of a block's terms, for tests. */
typedef struct FvHvsBlock {
    float block[2], quadrant[2][4], ratio[2]; /* variances of ref and dis */
    int32_t coefficient[2][64];
    float energy[2], threshold[2];
    float addend[64];
} FvHvsBlock;

/*
 * The effect of a sequence of terms on a sum, as a function of the sum. In a binade, rounding depends on the sum only
 * through its last bit, so two trial sums suffice: the smallest even and the smallest odd one. If the sum, as bits,
 * plus the gain of its parity is still in the binade, it is the result of adding the terms in order.
 */
typedef struct FvHvsStep {
    uint32_t binade; /* bits of the binade's first number, a power of two; the caller sets it */
    /* Gain in units of the last place, for even and for odd sums; FV_HVS_LEAVES: the sum leaves the binade. */
    uint32_t gain[2];
} FvHvsStep;

#define FV_HVS_BINADE 0x7f800000u /* the exponent bits, which name a sum's binade */
#define FV_HVS_LEAVES (1u << 24)  /* more units than a binade has */

typedef struct FvHvsKernels {
    /* Adds the terms of `count` rows of blocks to `sum`, in order. */
    float (*sum)(const FvHvsPlane *plane, int row, int count, float sum);
    /*
     * Writes, for each of `count` rows, its effect on a sum in the binade step->binade. Skips rows whose binade is 0.
     */
    void (*steps)(const FvHvsPlane *plane, int row, int count, FvHvsStep *step);
    /* Writes the intermediate results of one row of blocks. */
    void (*trace)(const FvHvsPlane *plane, int row, FvHvsBlock *blocks);
} FvHvsKernels;

FV_FAMILY(FvHvsKernels, fv_hvs_kernels)
