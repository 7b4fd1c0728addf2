/* The statistics of SSIM as three features: of one scale, of five, and of luminance in PU21. docs/metrics/ssim.md */
#pragma once

#include "cpu/ssim.h"
#include "device/feature.h"
#include "feature/pu21.h"
#include "picture/region.h"

typedef struct FvSsimOptions {
    int scale; /* the factor by which the picture is made smaller first; 0: by its size */
    FvRegionOptions region;
} FvSsimOptions;

/* The option, for the tables of the feature and of the metric. */
#define FV_SSIM_SCALE                                                                                                \
    ("scale", "", 0, 0, 10, NULL, "factor by which pictures are reduced first; 0: chosen by their smaller side")

/* Options of the statistic on the planes of the feature pu21. */
typedef struct FvPuSsimOptions {
    FvPuOptions pu;
    int scale;
} FvPuSsimOptions;

#define FV_PU_SSIM_SCALE                                                                                             \
    ("scale", "", 1, 0, 10, NULL, "factor by which pictures are reduced first; 0: chosen by their smaller side")

#define FV_SSIM_SCALES 5

/* One run: work->frame has the smaller planes, as float32, then FvSsimSums of each band of rows. */
typedef struct FvSsim {
    const FvSsimKernels *kernels;
    int scales;                                        /* 1 or FV_SSIM_SCALES */
    int factor;                                        /* from the picture to scale 0 */
    int width[FV_SSIM_SCALES], height[FV_SSIM_SCALES]; /* size of each scale's plane */
    size_t plane[FV_SSIM_SCALES][2];                   /* offset of the plane, unless it is the frame */
    ptrdiff_t stride[FV_SSIM_SCALES];                  /* bytes */
    int bands[FV_SSIM_SCALES];                         /* number of bands of rows of positions */
    size_t sums[FV_SSIM_SCALES];                       /* offset of the sums */
    FvSsimStatistic statistic[FV_SSIM_SCALES];         /* statistic, with the unit of the sums */
    FvWeigher weigher;                                 /* weights of float_ssim's positions */
    const FvPu *encoded;                               /* NULL, or the input whose planes are the pictures */
} FvSsim;

/*
 * Terms of each scale: the sums of luminance, contrast, structure and their product, integers in units of 1 / unit.
 * The sum of the weights follows where each frame has its own.
 */
#define FV_SSIM_TERMS 4
extern const FvFeature fv_feature_ssim, fv_feature_ms_ssim, fv_feature_pu_ssim;
extern const struct FvGpuFeature fv_ssim_gpu, fv_ms_ssim_gpu, fv_pu_ssim_gpu;

/* The weighted mean over positions of term `term` of a scale, rounded to binary32. */
float fv_ssim_mean(const FvSsim *ssim, int scale, int term, const FvTerm *row);
