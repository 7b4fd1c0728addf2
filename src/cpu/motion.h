/* Kernels of VMAF's motion on the CPU. */
#pragma once

#include "base/isa.h"

#define FV_MOTION_SMALLEST 3 /* minimum width and height in samples: the blur mirrors two samples */

/* Luma of two reference frames. Kernels may read up to FV_ROW_PADDING bytes after a row. */
typedef struct FvMotionPlanes {
    const uint8_t *older, *newer;
    ptrdiff_t older_stride, newer_stride; /* distances between rows in bytes */
    int width, height;
    int depth; /* 8: bytes; 9 to 16: 16-bit words */
} FvMotionPlanes;

/* Returns the bytes of scratch memory, 64-byte aligned, that a call of `sad` needs. */
static inline size_t fv_motion_scratch(int width)
{
    return (size_t)(width + 127) / 64 * 64 * (8 * sizeof(int16_t));
}

typedef struct FvMotionKernels {
    /* Returns the sum of the magnitudes of the blurred difference older - newer over rows [first, first + rows). */
    uint64_t (*sad)(const FvMotionPlanes *planes, int first, int rows, void *scratch);
} FvMotionKernels;

FV_FAMILY(FvMotionKernels, fv_motion_kernels)
