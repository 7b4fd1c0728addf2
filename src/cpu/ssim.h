/* Kernels of SSIM and MS-SSIM on the CPU. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

/* A plane whose samples times `unit` are on the scale of 8 bits. */
typedef struct FvSsimPlane {
    const void *data;
    ptrdiff_t stride; /* distance between rows in bytes */
    int width, height;
    int bytes;  /* bytes per sample: 1, 2, or 4 for float32 */
    float unit; /* 1, 1/4, 1/16 or 1/256; 1 for float32 */
} FvSsimPlane;

/* Sums over the positions of the window, each times its weight, in the unit of FvSsimStatistic. */
typedef struct FvSsimSums {
    int64_t light, contrast, structure, product;
} FvSsimSums;

/* Parameters of the SSIM statistic of a pair of planes. */
typedef struct FvSsimStatistic {
    float c1, c2; /* the constants of fv_ssim_parts() that keep quotients finite */
    double unit;  /* factor of the sums: the power of two that fv_fixed() takes */
    /*
     * NULL, or a weight for each position. Kernels may read 64 weights after the end of a row. The stride is in
     * weights.
     */
    const uint32_t *weight;
    ptrdiff_t weight_stride;
} FvSsimStatistic;

typedef struct FvSsimKernels {
    /*
     * Computes the sums over rows [first, first + count) of positions; a plane has width - 10 by height - 10
     * positions. Rows are read up to a multiple of 64 bytes.
     */
    void (*sums)(const FvSsimPlane *ref, const FvSsimPlane *dis, int first, int count,
                 const FvSsimStatistic *statistic, void *scratch, FvSsimSums *sums);
    /*
     * Computes rows [first, first + count) of the plane of half the size, rounded up. `to` is float32 and starts at
     * row `first`.
     */
    void (*halve)(const FvSsimPlane *from, float *to, ptrdiff_t stride, int first, int count, void *scratch);
    /*
     * Computes rows [first, first + count) of a plane that is smaller by `factor`, 2 to 10. The width becomes width /
     * factor + width % 2, and the height follows the same rule.
     */
    void (*shrink)(const FvSsimPlane *from, int factor, float *to, ptrdiff_t stride, int first, int count,
                   void *scratch);
} FvSsimKernels;

FV_FAMILY(FvSsimKernels, fv_ssim_kernels)

/* The working memory of all kernels has fv_ssim_scratch_bytes() bytes. */
#define FV_SSIM_STRIP 128 /* width in positions of a strip, which a kernel sums at a time */
#define FV_SSIM_BAND 96   /* height in rows of a strip */
#define FV_SSIM_PITCH (FV_SSIM_STRIP + 64)

static inline size_t fv_ssim_scratch_bytes(int width)
{
    size_t strips = 5 * (FV_SSIM_PITCH + FV_SSIM_STRIP * (size_t)(FV_SSIM_BAND + 10)) * sizeof(float);
    size_t rows = 55 * ((size_t)width + 128) * sizeof(float);
    return strips > rows ? strips : rows;
}
