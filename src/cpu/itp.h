/* Kernels of Delta E ITP on the CPU. docs/metrics/delta_e_itp.md */
#pragma once

#include "base/isa.h"

/* Conversion of linear light to I, T and P; constant during a run. */
typedef struct FvItpCurves {
    /*
     * For HLG, whose light is scene light: exponent of the luminance gain, and display peak in cd/m2; peak 0: not
     * HLG.
     */
    float gamma, peak;
    const float *signal; /* PQ signal at each of the FV_ITP_STEPS + 1 steps (arith/itp.h) */
} FvItpCurves;

typedef struct FvItpSum {
    /* Sum of the differences in units of 1 / FV_ITP_UNIT, and the number of differences above 1. */
    uint64_t sum, visible;
} FvItpSum;

/* Kernels for rows of at most FV_LIGHT_MOST samples. They may read and write one vector after the end. */
typedef struct FvItpKernels {
    /* Replaces R, G and B (BT.2020 primaries) by I, T and P. */
    void (*convert)(const FvItpCurves *curves, float *const row[3], int columns);
    /* Adds the row's differences to *sum, and writes them to `map` unless it is NULL. */
    void (*compare)(const float *const ref[3], const float *const dis[3], int columns, FvItpSum *sum, float *map);
} FvItpKernels;

FV_FAMILY(FvItpKernels, fv_itp_kernels)
