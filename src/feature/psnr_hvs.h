/* The state of a run of PSNR-HVS's feature, for its stages on the CPU, its plan on GPUs and the metric. */
#pragma once

#include "cpu/psnr_hvs.h"
#include "device/feature.h"

typedef struct FvHvs {
    const FvHvsKernels *kernels;
    FvHvsPlane plane[3];      /* without samples */
    int first_row[3];         /* the index of the plane's first row among the rows of all planes */
    int bands[3];             /* jobs of the first stage */
    _Atomic uint32_t *binade; /* for each row, the sum before it in some frame; 0: not known */
} FvHvs;

/* work->frame */
typedef struct FvHvsFrame {
    float sum[3];
    FvHvsStep step[]; /* for each row of all planes */
} FvHvsFrame;

extern const FvFeature fv_feature_psnr_hvs; /* terms: the sum of masked errors of each plane, a binary32 */
extern const struct FvGpuFeature fv_psnr_hvs_gpu;
