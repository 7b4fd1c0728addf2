/* The weighted squared error of each plane, from which XPSNR is computed. */
#pragma once

#include "device/feature.h"
#include "feature/xpsnr_grid.h"
#include "picture/region.h"

typedef struct FvXpsnrOptions {
    bool chroma;
    int rate; /* whole frames per second, which the feature needs; for the metric, 0 means the rate of the videos */
    FvRegionOptions region;
} FvXpsnrOptions;

#define FV_XPSNR_OPTIONS(X)                                                                                          \
    X(FvXpsnrOptions, chroma, BOOL, ("enable_chroma", "chroma", 1, "score Cb and Cr too"))                           \
    X(FvXpsnrOptions, rate, INT,                                                                                     \
      ("rate", "rate", 0, 0, 1000, "frames/s",                                                                       \
       "frame rate that decides how change in time is measured; 0: the videos' own"))                                \
    FV_REGION_OPTIONS(X, FvXpsnrOptions, region)

/*
 * State of an instance, for its stages on the CPU and its plan on GPUs. work->frame starts with the FvXpsnrSums of
 * each block.
 */
typedef struct FvXpsnr {
    FvXpsnrGrid grid;
    FvXpsnrKernel *activity;
    uint64_t (*sse)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                    int rows);
    FvWeigher weigher[3]; /* weights of the samples of each plane */
    uint8_t *zero;        /* a row of zeros, which replaces frames before the first */
} FvXpsnr;

extern const FvMapInfo fv_xpsnr_maps[1];

/*
 * Terms: the weighted squared error of each plane, an integer. If each frame has its own region weights, from
 * FV_XPSNR_WEIGHT on their sum in each plane. Map 0: the weight of each luma sample.
 */
enum { FV_XPSNR_WEIGHT = 3 };
extern const FvFeature fv_feature_xpsnr;

extern const struct FvGpuFeature fv_xpsnr_gpu;
