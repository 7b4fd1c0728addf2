/* The state of an instance of PSNR-HVS's feature, for its stages on the CPU, its plan on GPUs and the metric. */
#pragma once

#include "cpu/psnr_hvs.h"
#include "device/feature.h"

typedef struct FvHvs {
    const FvHvsKernels *kernels;
    FvHvsPlane plane[3]; /* the planes' sizes; sample pointers are not set */
    int first_row[3];    /* index of the plane's first row of blocks among the rows of all planes */
    int bands[3];        /* number of jobs of the first stage */
    /* For each row of blocks, the binade of the sum before it in an earlier frame; 0: unknown. */
    _Atomic uint32_t *binade;
} FvHvs;

/* The layout of work->frame. */
typedef struct FvHvsFrame {
    float sum[3];
    FvHvsStep step[]; /* for each row of blocks of all planes */
} FvHvsFrame;

extern const FvFeature fv_feature_psnr_hvs; /* terms: the sum of masked errors of each plane, a binary32 */
extern const struct FvGpuFeature fv_psnr_hvs_gpu;
