/* Kernels of PU21 on the CPU. docs/metrics/pu.md */
#pragma once

#include "base/isa.h"

/* From linear light to units of PU21. Constant during a run. */
typedef struct FvPuEncoding {
    float weight[3];   /* weights of R, G and B in the luminance */
    float gamma, peak; /* parameters of HLG, whose light is the scene's; gamma 0: light is in cd/m2 */
    float p[7];        /* parameters of fv_pu_encode() */
} FvPuEncoding;

/* Kernels for rows of at most FV_LIGHT_MOST samples; a vector after them may be read and written. */
typedef struct FvPuKernels {
    void (*encode)(const FvPuEncoding *encoding, const float *const light[3], int columns, float *to);
    /* The sum of the squares of the differences, in units of 2^-28. */
    uint64_t (*squares)(const float *ref, const float *dis, int columns);
} FvPuKernels;

FV_FAMILY(FvPuKernels, fv_pu_kernels)
