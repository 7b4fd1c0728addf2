/* Kernels of the ProRes decoder. */
#pragma once

#include <stddef.h>

#include "base/isa.h"
#include "cpu/prores_string.h"

typedef struct FvProresBlocks {
    const int16_t *coefficients; /* coefficients, as in FvProresString */
    int log2_blocks, last;       /* coefficients behind this scan index are 0 in every block */
    const uint8_t *quantiser;    /* raster order */
    int scale;
    const int *scan; /* index in the scan by raster index */
    int depth;
    int plane;
    uint8_t *to; /* first sample of the slice */
    ptrdiff_t stride;
    int rows; /* to store, 0..16; up to 16 samples past the picture's right edge are stored in each */
} FvProresBlocks;

typedef struct FvProresKernels {
    void (*entropy)(FvProresString *strings, int count);
    void (*transform)(const FvProresBlocks *blocks);
} FvProresKernels;

FV_FAMILY(FvProresKernels, fv_prores_kernels)
