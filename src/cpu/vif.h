/* Kernels of VMAF's visual information fidelity on the CPU. */
#pragma once

#include "base/isa.h"

#define FV_VIF_SMALLEST 16 /* minimum width and height in samples: the coarsest scale then has 2x2 samples */

/* Number of limits of the gain that kernels compute at once: one in WebAssembly, whose module must stay small. */
#ifdef __wasm__
#define FV_VIF_LIMITS 1
#else
#define FV_VIF_LIMITS 2
#endif

/* Luma of a frame pair at one scale. Kernels may read up to FV_ROW_PADDING bytes after a row. */
typedef struct FvVifPlanes {
    const uint8_t *ref, *dis;
    ptrdiff_t ref_stride, dis_stride; /* distances between rows in bytes */
    int width, height;
    int depth; /* depth at scale 0; 8: bytes, 9 to 16: 16-bit words. Other scales always have 16-bit words */
    int scale;
} FvVifPlanes;

/* The sums of one scale. Logarithms are in units of 1/2048. */
typedef struct FvVifSums {
    int64_t numerator[2]; /* sums over samples where the reference's variance exceeds the noise, for both limits */
    int64_t denominator;
    int64_t flat_variance; /* sum of the distorted frame's variance over the flat samples */
    int64_t flat;          /* number of flat samples: the reference's variance does not exceed the noise */
} FvVifSums;

/*
 * Returns the bytes of scratch memory, 64-byte aligned, that a call needs for planes that are `width` samples wide.
 */
size_t fv_vif_scratch(int width);

typedef struct FvVifKernels {
    /*
     * Computes the sums of rows [first, first + rows); `first` is even. logs: fv_vif_log_table; limit: two maximum
     * gains, of which the second may be 0 for none.
     */
    void (*sums)(const FvVifPlanes *planes, int first, int rows, const uint16_t *logs, const double limit[2],
                 FvVifSums *sums, void *scratch);
    /*
     * Computes rows [first, first + rows) of the next scale's frames, of half the size rounded down. May write up to
     * FV_ROW_PADDING bytes after a row.
     */
    void (*reduce)(const FvVifPlanes *planes, int first, int rows, uint16_t *ref, uint16_t *dis, ptrdiff_t stride,
                   void *scratch);
    /* Writes the logarithms of `count` numbers of at least 2^17; `count` fills whole vectors of 64 bytes. */
    void (*logarithms)(const uint32_t *numbers, int count, const uint16_t *logs, int32_t *to);
} FvVifKernels;

FV_FAMILY(FvVifKernels, fv_vif_kernels)
