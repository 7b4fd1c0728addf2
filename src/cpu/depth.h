/* Kernels that find which bits 16-bit samples use. */
#pragma once

#include "base/isa.h"

typedef struct FvDepthKernels {
    /* Returns the bitwise OR of all samples of `rows` rows of `width` samples; stride in bytes. */
    unsigned (*join)(const uint8_t *words, ptrdiff_t stride, int width, int rows);
} FvDepthKernels;

FV_FAMILY(FvDepthKernels, fv_depth_kernels)
