/*
 * The verdicts of the self-test about features and other subjects on GPUs, stored in a file: one line per test, of
 * which the last one is valid.
 */
#pragma once

#include "device/compare.h"
#include "gpu/gpu.h"

/* A subject, which is tested as a unit. */
typedef struct FvGpuSubject {
    const char *name;
    const FvKernel *const *kernels;
} FvGpuSubject;

FvGpuSubject fv_gpu_subject(const FvFeature *feature);

typedef struct FvGpuFinding {
    bool good;
    double speed;  /* speed relative to a processor that needs FvFeature.cost; 0: not measured */
    char why[512]; /* why the verdict is not good */
} FvGpuFinding;

/*
 * Finds the verdict on this subject on this device with its driver; on any device if `gpu` is NULL. False: the file
 * has none. Lines of other versions of fovea are ignored.
 */
bool fv_gpu_find(const FvGpu *gpu, FvGpuSubject subject, FvGpuFinding *finding);

/* Stores a verdict. If that fails, the next session tests again. */
void fv_gpu_keep(const FvGpu *gpu, FvGpuSubject subject, const FvGpuFinding *finding);
