/* Kernels of VMAF's visual information fidelity on the CPU. */
#pragma once

#include "base/isa.h"

#define FV_VIF_SMALLEST 16 /* samples in each direction: the coarsest scale has at least two */

/* Luma of a frame pair at one scale. Rows may be read up to FV_ROW_PADDING bytes past their end. */
typedef struct FvVifPlanes {
    const uint8_t *ref, *dis;
    ptrdiff_t ref_stride, dis_stride; /* bytes */
    int width, height;
    int depth; /* depth at scale 0: 8: bytes; 9 to 16: 16-bit words. The other scales have 16-bit words */
    int scale;
} FvVifPlanes;

/* The sums of one scale: logarithms in units of 1/2048. */
typedef struct FvVifSums {
    int64_t numerator, denominator; /* sums over samples whose reference varies more than noise */
    int64_t flat_variance;          /* variance of the distorted frame over the other samples */
    int64_t flat;                   /* how many those are */
} FvVifSums;

/* Bytes of scratch memory, 64-byte aligned, that a call needs for planes of this width. */
size_t fv_vif_scratch(int width);

typedef struct FvVifKernels {
    /* Rows first to first + rows - 1; `first` is even. `logs` is fv_vif_log_table's, `limit` bounds the gain. */
    void (*sums)(const FvVifPlanes *planes, int first, int rows, const uint16_t *logs, double limit, FvVifSums *sums,
                 void *scratch);
    /*
     * Rows first to first + rows - 1 of the next scale's pictures, of half the size rounded down. A row of both may
     * be written up to FV_ROW_PADDING bytes past its end.
     */
    void (*reduce)(const FvVifPlanes *planes, int first, int rows, uint16_t *ref, uint16_t *dis, ptrdiff_t stride,
                   void *scratch);
    /* Logarithms of `count` numbers from 2^17 on; whole vectors of 64 bytes. */
    void (*logarithms)(const uint32_t *numbers, int count, const uint16_t *logs, int32_t *to);
} FvVifKernels;

FV_FAMILY(FvVifKernels, fv_vif_kernels)
