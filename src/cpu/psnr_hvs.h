/* Kernels of PSNR-HVS on the CPU. */
#ifndef FV_CPU_PSNR_HVS_H
#define FV_CPU_PSNR_HVS_H

#include "isa.h"

/* One plane of a frame pair. */
typedef struct FvHvsPlane {
    const uint8_t *ref, *dis;
    ptrdiff_t ref_stride, dis_stride; /* bytes */
    int index;         /* 0 luma, 1 Cb, 2 Cr: which tables apply */
    int depth;         /* 8: bytes; 9 to 12: 16-bit words */
    int columns, rows; /* of blocks, which start every FV_HVS_STEP samples */
} FvHvsPlane;

/* What is computed on the way to a block's terms, for tests. */
typedef struct FvHvsBlock {
    float block[2], quadrant[2][4], ratio[2]; /* variances of ref and dis */
    int32_t coefficient[2][64];
    float energy[2], threshold[2];
    float addend[64];
} FvHvsBlock;

typedef struct FvHvsKernels {
    /* Adds the terms of `count` rows of blocks to `sum`, in order. */
    float (*sum)(const FvHvsPlane *plane, int row, int count, float sum);
    /*
     * The same from the least even and the least odd sum of the binade that `binade` begins (a power of two), as bits
     * of the results. False when both leave the binade: then the results mean nothing.
     */
    bool (*steps)(const FvHvsPlane *plane, int row, int count, float binade, uint32_t end[2]);
    /* The blocks of one row. */
    void (*trace)(const FvHvsPlane *plane, int row, FvHvsBlock *blocks);
} FvHvsKernels;

FV_FAMILY(FvHvsKernels, fv_hvs_kernels)

#endif
