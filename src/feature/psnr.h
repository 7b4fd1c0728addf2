/* The state of an instance of PSNR's feature, for its stages on the CPU, its plan on GPUs and the metric. */
#pragma once

#include "cpu/psnr.h"
#include "device/feature.h"
#include "picture/region.h"

typedef struct FvPsnrOptions {
    bool chroma;
    FvRegionOptions region;
} FvPsnrOptions;

/* The option, for the tables of the feature and of the metric. */
#define FV_PSNR_CHROMA ("enable_chroma", "chroma", 1, "score Cb and Cr too")

typedef struct FvPsnr {
    uint64_t (*sse)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                    int rows);
    int planes;
    int width[3], height[3]; /* size of each plane; chroma rounded down */
    int bands[3];
    FvWeigher weigher[3]; /* weights of the compared samples */
    double most[3];       /* maximum sum of weights for which a sum of squares fits 64 bits */
} FvPsnr;

/*
 * Terms: the weighted sum of squares of each plane. If each frame has its own weights, from FV_PSNR_WEIGHT on the sum
 * of weights of each plane, and from FV_PSNR_DIVISOR on the number by which the weights were divided.
 */
enum { FV_PSNR_WEIGHT = 3, FV_PSNR_DIVISOR = 6 };

/* work->frame has a sum of squared differences for each band of each plane, as uint64_t. */
extern const FvFeature fv_feature_psnr;
extern const struct FvGpuFeature fv_psnr_gpu;
