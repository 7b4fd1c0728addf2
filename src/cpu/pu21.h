/* Kernels of PU21 on the CPU. docs/metrics/pu.md */
#pragma once

#include "base/isa.h"

/* Conversion of linear light to units of PU21; constant during a run. */
typedef struct FvPuEncoding {
    float weight[3]; /* weights of R, G and B in the luminance */
    /* For HLG, whose light is scene light: parameters of fv_pu_displayed(); gamma 0: light is in cd/m2. */
    float gamma, peak;
    float p[7]; /* parameters of fv_pu_encode() */
} FvPuEncoding;

/* Kernels for rows of at most FV_LIGHT_MOST samples. They may read and write one vector after the end. */
typedef struct FvPuKernels {
    void (*encode)(const FvPuEncoding *encoding, const float *const light[3], int columns, float *to);
    /* Returns the sum of the squared differences, in units of 2^-28. */
    uint64_t (*squares)(const float *ref, const float *dis, int columns);
} FvPuKernels;

FV_FAMILY(FvPuKernels, fv_pu_kernels)
