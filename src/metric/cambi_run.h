/* What a run of CAMBI keeps, for its stages on the CPU and its plan on GPUs. */
#ifndef FV_METRIC_CAMBI_RUN_H
#define FV_METRIC_CAMBI_RUN_H

#include "cpu/cambi.h"
#include "metric.h"
#include "metric/cambi_heatmap.h"

/* What scoring needs to know of one picture. */
typedef struct FvCambiOutcome {
    uint64_t sum[FV_CAMBI_SCALES]; /* of the pooled c-values, times 2^24 */
    uint32_t samples;              /* all source samples, or-ed together; only what exceeds the depth matters */
} FvCambiOutcome;

/* Index 0 is the distorted video, 1 the reference. */
typedef struct FvCambi {
    const FvCambiKernels *kernels;
    FvCambiTables tables;
    float *reciprocal;
    int reciprocals;
    int pictures;
    FvCambiPicture picture[2];
    int bands[2][FV_CAMBI_SCALES], strips[2][FV_CAMBI_SCALES];
    int64_t pooled[2][FV_CAMBI_SCALES];
    /* Where a picture's planes, what the jobs leave behind, and the outcome lie in the frame's block. */
    size_t planes[2], results[2], outcome[2];
    FvCambiHeatmap *heatmap;
} FvCambi;

static inline FvCambiOutcome *fv_cambi_outcome(const FvCambi *cambi, const FvWork *work, int picture)
{
    return (FvCambiOutcome *)((char *)work->frame + cambi->outcome[picture]);
}

extern const struct FvGpuMetric fv_cambi_gpu;

#endif
