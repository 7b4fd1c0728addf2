/* What a run of PSNR keeps, for its stages on the CPU and its plan on GPUs. */
#ifndef FV_METRIC_PSNR_H
#define FV_METRIC_PSNR_H

#include "cpu/psnr.h"
#include "metric.h"

typedef struct FvPsnr {
    uint64_t (*sse)(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                    int rows);
    int planes;
    int width[3], height[3]; /* chroma rounded down */
    int bands[3];
    double peak2, limit[3];
    uint64_t total[3], samples[3];
} FvPsnr;

/* work->frame is a sum of squared differences for each band of each plane, as uint64_t. */
extern const struct FvGpuMetric fv_psnr_gpu;

#endif
