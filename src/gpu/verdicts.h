/* What the self-test found out about features on GPUs, kept in a file: one line a test, the last one counts. */
#ifndef FV_GPU_VERDICTS_H
#define FV_GPU_VERDICTS_H

#include "feature.h"
#include "gpu/gpu.h"

typedef struct FvGpuFinding {
    bool good;
    double speed;  /* how many times as fast as a processor that takes FvFeature.cost; 0: not measured */
    char why[512]; /* not good */
} FvGpuFinding;

/*
 * Of this feature, or of scaling when it is NULL, on this device with its driver; on any device when `gpu` is NULL.
 * False: it was not tested, as far as the file tells. Lines of other versions of fovea count for nothing.
 */
bool fv_gpu_find(const FvGpu *gpu, const FvFeature *feature, FvGpuFinding *finding);

/* What cannot be kept is found out again next time. */
void fv_gpu_keep(const FvGpu *gpu, const FvFeature *feature, const FvGpuFinding *finding);

#endif
