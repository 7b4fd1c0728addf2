/* Converts the samples of a frame to linear light, a part of a row at a time. */
#pragma once

#include "base/isa.h"

#define FV_LIGHT_CURVE 4096 /* steps of the table from R'G'B' to linear light */
#define FV_LIGHT_MOST 1024  /* maximum number of columns per call */

/* Positions of chroma samples relative to luma in one direction: full resolution, cosited, or centred between two. */
typedef enum FvLightSiting { FV_LIGHT_FULL, FV_LIGHT_COSITED, FV_LIGHT_CENTRED } FvLightSiting;

/* Conversion of samples to linear light; constant during a run. */
typedef struct FvLight {
    int width, height, chroma_width, chroma_height; /* chroma_width 0: luma only */
    bool rgb;                                       /* the planes are R', G', B' */
    FvLightSiting across, down;
    int luma_zero, chroma_zero; /* offset of luma samples, and of interpolated chroma, which is scaled by the unit of
                                   the interpolation */
    float luma_scale, chroma_scale;
    struct FvLightMatrix {
        float rv, gu, gv, bu;
    } matrix;
    const float (*curve)[2]; /* [step]: linear light at the step, and the increase to the next step */
    float hlg;               /* factor of HLG's system gamma; 0 for other curves */
    /* Rows of the matrix to the wanted primaries; NULL: the video's primaries are the wanted ones. */
    const float (*wide)[3];
} FvLight;

/* Interpolation weights of up to four neighbours, `count` of them from chroma index `first` on. */
typedef struct FvLightTaps {
    int first, count;
    int weight[4];
} FvLightTaps;

FvLightTaps fv_light_taps(FvLightSiting siting, int place);

/*
 * Writes the linear light of columns [x0, x1) of row y to out[R, G, B][0] and on; x0 is even. May write one vector
 * after the end, and read one vector after the end of a sample row, as FvFrame allows. Strides are in bytes.
 */
typedef void FvLightKernel(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int x0,
                           int x1, int y, float *const out[3]);

typedef struct FvLightKernels {
    FvLightKernel *row8, *row16; /* for samples of 8 bits, and of 16 bits */
} FvLightKernels;

FV_FAMILY(FvLightKernels, fv_light_kernels)
