/* The weighted difference of two pictures that SSIMULACRA 2 turns into a score. */
#pragma once

#include "cpu/ssimulacra2.h"
#include "device/feature.h"
#include "feature/light.h"

typedef struct FvSs2Options {
    FvLightOptions light;
    double white; /* the luminance in cd/m2 that becomes 1, for PQ and HLG */
} FvSs2Options;

#define FV_SS2_OPTIONS(X)                                                                                            \
    FV_LIGHT_OPTIONS(X, FvSs2Options)                                                                                \
    X(FvSs2Options, white, REAL, ("white", "wht", 100, 1, 10000, "cd/m2", "luminance that is white in PQ and HLG"))

/* The state of a run, for its stages on the CPU and its plan on GPUs. */
typedef struct FvSs2 {
    FvLight light;
    const FvSs2Kernels *kernels;
    int measured; /* number of levels that decide the order of the weights */
    int levels;   /* number of levels to compute: [1, measured] */
    struct FvSs2Level {
        int width, height, across, down; /* size in samples, and number of tiles across and down */
        unsigned wanted[FV_SS2_CHANNELS];
        float gain[FV_SS2_CHANNELS][FV_SS2_TERMS / 2]; /* in the error map */
        ptrdiff_t stride;                              /* stride of a plane of floats */
        size_t light, map, sums;                       /* where planes and the tiles' sums begin in work->frame */
        size_t shared_light, tiles; /* offsets of the reference's light and tiles in work->analysis */
        int part;                   /* number of its first tile in work->analysis */
    } level[FV_SS2_LEVELS];
} FvSs2;

/* Weights of the difference, as [channel][level][term] when all six levels are measured. */
extern const double fv_ss2_weights[FV_SS2_CHANNELS * FV_SS2_LEVELS * FV_SS2_TERMS];

extern const FvMapInfo fv_ss2_maps[1];

/* Term 0: the difference, 0 for equal pictures. Map 0: the share of each sample in it. */
extern const FvFeature fv_feature_ssimulacra2;

extern const struct FvGpuFeature fv_ss2_gpu;
