/* Kernels of Delta E ITP on the CPU. docs/metrics/delta_e_itp.md */
#pragma once

#include "base/isa.h"

/* From linear light to I, T and P. Constant during a run. */
typedef struct FvItpCurves {
    float gamma, peak;   /* HLG, whose light is the scene's: exponent of its gain, and cd/m2; peak 0: not HLG */
    const float *signal; /* signal of PQ at each of FV_ITP_STEPS + 1 steps (arith/itp.h) */
} FvItpCurves;

typedef struct FvItpSum {
    uint64_t sum, visible; /* differences in units of 1 / FV_ITP_UNIT; how many are above 1 */
} FvItpSum;

/* Rows of at most FV_LIGHT_MOST samples; a vector behind them may be read and written. */
typedef struct FvItpKernels {
    /* Replaces R, G and B of BT.2020 by I, T and P. */
    void (*convert)(const FvItpCurves *curves, float *const row[3], int columns);
    /* Adds the differences to a sum, and writes them to `map` unless it is NULL. */
    void (*compare)(const float *const ref[3], const float *const dis[3], int columns, FvItpSum *sum, float *map);
} FvItpKernels;

FV_FAMILY(FvItpKernels, fv_itp_kernels)
