/*
 * The SSIM statistics as three features: one scale, five scales, and luminance in units of PU21. docs/metrics/ssim.md
 */
#pragma once

#include "cpu/ssim.h"
#include "device/feature.h"
#include "feature/pu21.h"
#include "picture/region.h"

typedef struct FvSsimOptions {
    int scale; /* factor by which frames are reduced first; 0: chosen by their size */
    FvRegionOptions region;
} FvSsimOptions;

/* The option, for the tables of the feature and of the metric. */
#define FV_SSIM_SCALE                                                                                                \
    ("scale", "", 0, 0, 10, NULL, "factor by which pictures are reduced first; 0: chosen by their smaller side")

/* Options of the statistic of planes from the feature pu21. */
typedef struct FvPuSsimOptions {
    FvPuOptions pu;
    int scale;
} FvPuSsimOptions;

#define FV_PU_SSIM_SCALE                                                                                             \
    ("scale", "", 1, 0, 10, NULL, "factor by which pictures are reduced first; 0: chosen by their smaller side")

#define FV_SSIM_SCALES 5

/* State of an instance. work->frame has the reduced planes as float32, then the FvSsimSums of each band of rows. */
typedef struct FvSsim {
    const FvSsimKernels *kernels;
    int scales;                                        /* 1 or FV_SSIM_SCALES */
    int factor;                                        /* factor from the frame's size to scale 0 */
    int width[FV_SSIM_SCALES], height[FV_SSIM_SCALES]; /* size of each scale's plane */
    /* Offset of the plane in work->frame; unused if the plane is the frame's. */
    size_t plane[FV_SSIM_SCALES][2];
    ptrdiff_t stride[FV_SSIM_SCALES];          /* distance between rows in bytes */
    int bands[FV_SSIM_SCALES];                 /* number of bands of rows of window positions */
    size_t sums[FV_SSIM_SCALES];               /* offset of the sums in work->frame */
    FvSsimStatistic statistic[FV_SSIM_SCALES]; /* parameters of the statistic, with the unit of the sums */
    FvWeigher weigher;                         /* weights of the positions, for float_ssim */
    const FvPu *encoded;                       /* NULL, or the instance whose planes are compared */
} FvSsim;

/*
 * Terms of each scale: the sums of luminance, contrast, structure, and their product, integers in units of 1 / unit.
 * If each frame has its own weights, the sum of the weights follows.
 */
#define FV_SSIM_TERMS 4
extern const FvFeature fv_feature_ssim, fv_feature_ms_ssim, fv_feature_pu_ssim;
extern const struct FvGpuFeature fv_ssim_gpu, fv_ms_ssim_gpu, fv_pu_ssim_gpu;

/* Returns the weighted mean over all positions of term `term` of a scale, rounded to binary32. */
float fv_ssim_mean(const FvSsim *ssim, int scale, int term, const FvTerm *row);
