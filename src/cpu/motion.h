/* Kernels of VMAF's motion on the CPU. */
#pragma once

#include "base/isa.h"

#define FV_MOTION_SMALLEST 3 /* samples in each direction: the blur mirrors two */

/* Luma of two frames of the reference. Rows may be read up to FV_ROW_PADDING bytes past their end. */
typedef struct FvMotionPlanes {
    const uint8_t *older, *newer;
    ptrdiff_t older_stride, newer_stride; /* bytes */
    int width, height;
    int depth; /* 8: bytes; 9 to 16: 16-bit words */
} FvMotionPlanes;

/* Bytes of scratch memory, 64-byte aligned, that a call of `sad` needs. */
static inline size_t fv_motion_scratch(int width)
{
    return (size_t)(width + 127) / 64 * 64 * (8 * sizeof(int16_t));
}

typedef struct FvMotionKernels {
    /* Sum of the magnitudes of the blurred difference older - newer over rows first to first + rows - 1. */
    uint64_t (*sad)(const FvMotionPlanes *planes, int first, int rows, void *scratch);
} FvMotionKernels;

FV_FAMILY(FvMotionKernels, fv_motion_kernels)
