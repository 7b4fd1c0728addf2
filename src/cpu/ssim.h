/* Kernels of SSIM and MS-SSIM on the CPU. */
#pragma once

#include "base/isa.h"
#include "os/memory.h"

/* A plane on the scale of 8 bits: samples times `unit`. */
typedef struct FvSsimPlane {
    const void *data;
    ptrdiff_t stride; /* bytes */
    int width, height;
    int bytes;  /* bytes per sample: 1, 2, or 4 for float32 */
    float unit; /* 1, 1/4, 1/16 or 1/256; 1 for float32 */
} FvSsimPlane;

/* Sums over positions of the window, each by its weight, in units of the caller's. */
typedef struct FvSsimSums {
    int64_t light, contrast, structure, product;
} FvSsimSums;

/* The statistic of a pair of planes. */
typedef struct FvSsimStatistic {
    float c1, c2; /* what keeps its quotients finite: see fv_ssim_parts */
    double unit;  /* unit of sums: the power of two of fv_fixed() */
    /* NULL, or rows of a weight for each position; 64 may be read behind the end of each. The stride is in weights.
     */
    const uint32_t *weight;
    ptrdiff_t weight_stride;
} FvSsimStatistic;

typedef struct FvSsimKernels {
    /*
     * Over rows [first, first + count) of positions; a plane has width - 10 by height - 10 of them. Rows are read up
     * to a multiple of 64 bytes.
     */
    void (*sums)(const FvSsimPlane *ref, const FvSsimPlane *dis, int first, int count,
                 const FvSsimStatistic *statistic, void *scratch, FvSsimSums *sums);
    /* Rows [first, first + count) of the plane half as large, rounded up; `to` is float32 and has that first row. */
    void (*halve)(const FvSsimPlane *from, float *to, ptrdiff_t stride, int first, int count, void *scratch);
    /* The same for a plane smaller by `factor`, 2 to 10: width / factor + width % 2 by the same of height. */
    void (*shrink)(const FvSsimPlane *from, int factor, float *to, ptrdiff_t stride, int first, int count,
                   void *scratch);
} FvSsimKernels;

FV_FAMILY(FvSsimKernels, fv_ssim_kernels)

/* Working memory of all kernels for planes of this width. */
#define FV_SSIM_STRIP 128 /* positions side by side that a sum is made of at a time */
#define FV_SSIM_BAND 96   /* and rows of them */
#define FV_SSIM_PITCH (FV_SSIM_STRIP + 64)

static inline size_t fv_ssim_scratch_bytes(int width)
{
    size_t strips = 5 * (FV_SSIM_PITCH + FV_SSIM_STRIP * (size_t)(FV_SSIM_BAND + 10)) * sizeof(float);
    size_t rows = 55 * ((size_t)width + 128) * sizeof(float);
    return strips > rows ? strips : rows;
}

/* Reflected at the border, whose samples are repeated. */
static inline int fv_ssim_reflect(int i, int size)
{
    return i < 0 ? -1 - i : i >= size ? 2 * size - 1 - i : i;
}
