/* Kernels that check the depth of 16-bit samples by joining all their bits. */
#pragma once

#include "base/isa.h"

typedef struct FvDepthKernels {
    /* All words of `rows` rows of `width` words OR-ed together; the stride in bytes. */
    unsigned (*join)(const uint8_t *words, ptrdiff_t stride, int width, int rows);
} FvDepthKernels;

FV_FAMILY(FvDepthKernels, fv_depth_kernels)
