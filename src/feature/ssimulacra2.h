/* The weighted difference of two frames, which SSIMULACRA 2 converts to a score. */
#pragma once

#include "cpu/ssimulacra2.h"
#include "device/feature.h"
#include "feature/light.h"

typedef struct FvSs2Options {
    FvLightOptions light;
    double white; /* luminance in cd/m2 that becomes 1, for PQ and HLG */
} FvSs2Options;

#define FV_SS2_OPTIONS(X)                                                                                            \
    FV_LIGHT_OPTIONS(X, FvSs2Options)                                                                                \
    X(FvSs2Options, white, REAL, ("white", "wht", 100, 1, 10000, "cd/m2", "luminance that is white in PQ and HLG"))

/* State of an instance, for its stages on the CPU and its plan on GPUs. */
typedef struct FvSs2 {
    FvLight light;
    const FvSs2Kernels *kernels;
    int measured; /* number of levels of the frame's pyramid, which decides the order of the weights */
    int levels;   /* number of levels to compute: [1, measured] */
    struct FvSs2Level {
        int width, height, across, down; /* size in samples, and number of tiles in each direction */
        unsigned wanted[FV_SS2_CHANNELS];
        float gain[FV_SS2_CHANNELS][FV_SS2_TERMS / 2]; /* factors in the error map */
        ptrdiff_t stride;                              /* stride of a plane, in floats */
        /* Offsets in work->frame: planes, map, and sums of the tiles. */
        size_t light, map, sums;
        size_t shared_light, tiles; /* offsets in work->analysis: the reference's light, and its tiles */
        int part;                   /* number of the level's first tile among the parts of the analysis */
    } level[FV_SS2_LEVELS];
} FvSs2;

/* Weights of the terms, as [channel][level][term] if all six levels are measured. */
extern const double fv_ss2_weights[FV_SS2_CHANNELS * FV_SS2_LEVELS * FV_SS2_TERMS];

extern const FvMapInfo fv_ss2_maps[1];

/* Term 0: the difference, 0 for equal frames. Map 0: each sample's contribution to it. */
extern const FvFeature fv_feature_ssimulacra2;

extern const struct FvGpuFeature fv_ss2_gpu;
