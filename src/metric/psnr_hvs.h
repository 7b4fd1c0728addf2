/* What a run of PSNR-HVS keeps, for its stages on the CPU and its plan on GPUs. */
#ifndef FV_METRIC_PSNR_HVS_H
#define FV_METRIC_PSNR_HVS_H

#include "cpu/psnr_hvs.h"
#include "metric.h"

typedef struct FvHvs {
    const FvHvsKernels *kernels;
    FvHvsPlane plane[3];      /* without samples */
    int first_row[3];         /* of the plane's rows among all */
    int bands[3];             /* jobs of the first stage */
    _Atomic uint32_t *binade; /* for each row, where the sum was in front of it in some frame; 0: not known */
} FvHvs;

/* work->frame */
typedef struct FvHvsFrame {
    float sum[3];
    FvHvsStep step[]; /* for each row of all planes */
} FvHvsFrame;

extern const struct FvGpuMetric fv_psnr_hvs_gpu;

#endif
