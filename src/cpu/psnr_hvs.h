/* Kernels of PSNR-HVS on the CPU. */
#pragma once

#include "base/isa.h"

/* One plane of a frame pair. */
typedef struct FvHvsPlane {
    const uint8_t *ref, *dis;
    ptrdiff_t ref_stride, dis_stride; /* bytes */
    int index;                        /* 0 luma, 1 Cb, 2 Cr: which tables apply */
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
 * A run of terms as a function of the sum before it. Inside a binade, rounding depends on the sum only through its
 * last bit, so two trial sums tell everything: the least even and the least odd one. When the sum plus the gain of
 * its parity, both as bits, is still in the binade, it is what adding the terms in order yields.
 */
typedef struct FvHvsStep {
    uint32_t binade;  /* bits of its first number, a power of two; set by the caller */
    uint32_t gain[2]; /* in units of the last place, for even and odd sums; FV_HVS_LEAVES: out of the binade */
} FvHvsStep;

#define FV_HVS_BINADE 0x7f800000u /* the bits of a sum that name its binade */
#define FV_HVS_LEAVES (1u << 24)  /* more than a binade has */

typedef struct FvHvsKernels {
    /* Adds the terms of `count` rows of blocks to `sum`, in order. */
    float (*sum)(const FvHvsPlane *plane, int row, int count, float sum);
    /* For each of `count` rows on its own: what it does to a sum in step->binade. Rows with binade 0 are left out. */
    void (*steps)(const FvHvsPlane *plane, int row, int count, FvHvsStep *step);
    /* The blocks of one row. */
    void (*trace)(const FvHvsPlane *plane, int row, FvHvsBlock *blocks);
} FvHvsKernels;

FV_FAMILY(FvHvsKernels, fv_hvs_kernels)
