/* Kernels of the ProRes decoder. */
#pragma once

#include <stddef.h>

#include "base/isa.h"
#include "cpu/prores_string.h"

typedef struct FvProresBlocks {
    const int16_t *coefficients; /* coefficients laid out as in FvProresString */
    /* log2 of the number of blocks; in every block, coefficients after scan index `last` are 0. */
    int log2_blocks, last;
    const uint8_t *quantiser; /* quantisation matrix in raster order */
    int scale;
    const int *scan; /* scan index of each raster index */
    int depth;
    int plane;
    uint8_t *to; /* first sample of the slice */
    ptrdiff_t stride;
    int rows; /* number of rows to store, 0 to 16; a row may reach up to 16 samples past the frame's right edge */
} FvProresBlocks;

typedef struct FvProresKernels {
    void (*entropy)(FvProresString *strings, int count);
    void (*transform)(const FvProresBlocks *blocks);
} FvProresKernels;

FV_FAMILY(FvProresKernels, fv_prores_kernels)
