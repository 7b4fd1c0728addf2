/* Linear light from the samples of a picture, a piece of a row at a time. */
#pragma once

#include "base/isa.h"

#define FV_LIGHT_CURVE 4096 /* steps of the table from R'G'B' to linear light */
#define FV_LIGHT_MOST 1024  /* columns of one call */

/* How chroma lies among luma in one direction. */
typedef enum FvLightSiting { FV_LIGHT_FULL, FV_LIGHT_COSITED, FV_LIGHT_CENTRED } FvLightSiting;

/* From samples to linear light. Constant during a run. */
typedef struct FvLight {
    int width, height, chroma_width, chroma_height; /* chroma_width 0: there is luma only */
    bool rgb;                                       /* the planes are R'G'B' */
    FvLightSiting across, down;
    int luma_zero,
        chroma_zero; /* subtracted from samples, and from interpolated chroma, which is unit times as great */
    float luma_scale, chroma_scale;
    struct FvLightMatrix {
        float rv, gu, gv, bu;
    } matrix;
    const float (*curve)[2]; /* [step]: linear light there, and how much more at the next step */
    float hlg;               /* factor of HLG's system gamma; 0 for other curves */
    const float (*wide)[3];  /* amounts of the primaries that are wanted, by row; NULL: these are the videos' own */
} FvLight;

/* Weights of four neighbours from `first` on for an even and an odd place at index i: see cpu/scalar/light.c.
 */
typedef struct FvLightTaps {
    int first, count;
    int weight[4];
} FvLightTaps;

FvLightTaps fv_light_taps(FvLightSiting siting, int place);

/*
 * Columns [x0, x1) of row y, x0 even, to out[R, G, B][0 ...]. May write a vector behind. Rows are readable a vector
 * behind their end, as FvFrame allows; stride in bytes.
 */
typedef void FvLightKernel(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int x0,
                           int x1, int y, float *const out[3]);

typedef struct FvLightKernels {
    FvLightKernel *row8, *row16; /* from bytes and from words */
} FvLightKernels;

FV_FAMILY(FvLightKernels, fv_light_kernels)
