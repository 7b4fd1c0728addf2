/* What the self-test found out about features and the like on GPUs, kept in a file: one line a test, the last one
 * counts. */
#pragma once

#include "device/compare.h"
#include "gpu/gpu.h"

/* What is tested as a whole. */
typedef struct FvGpuSubject {
    const char *name;
    const FvKernel *const *kernels;
} FvGpuSubject;

FvGpuSubject fv_gpu_subject(const FvFeature *feature);

typedef struct FvGpuFinding {
    bool good;
    double speed;  /* how many times as fast as a processor that takes FvFeature.cost; 0: not measured */
    char why[512]; /* not good */
} FvGpuFinding;

/*
 * Of this subject on this device with its driver; on any device when `gpu` is NULL.
 * False: the file tells of no test. Lines of other versions of fovea are ignored.
 */
bool fv_gpu_find(const FvGpu *gpu, FvGpuSubject subject, FvGpuFinding *finding);

/* What cannot be kept is found out again next time. */
void fv_gpu_keep(const FvGpu *gpu, FvGpuSubject subject, const FvGpuFinding *finding);
