/*
 * The verdicts of the self-test about features and other subjects on GPUs, stored in a file with one line per test.
 * Of several lines about the same subject and device, the last one is valid.
 */
#pragma once

#include "device/compare.h"
#include "gpu/gpu.h"

/* A subject: what is tested as a unit. */
typedef struct FvGpuSubject {
    const char *name;
    const FvKernel *const *kernels;
} FvGpuSubject;

FvGpuSubject fv_gpu_subject(const FvFeature *feature);

typedef struct FvGpuFinding {
    bool good;
    double speed;  /* speed relative to a processor that needs the time FvFeature.cost; 0: not measured */
    char why[512]; /* the reason if the verdict is not good */
} FvGpuFinding;

/*
 * Finds the verdict on this subject for this device and driver, or, if `gpu` is NULL, for any device. Returns false
 * if the file has none. Lines of other versions of fovea are ignored.
 */
bool fv_gpu_find(const FvGpu *gpu, FvGpuSubject subject, FvGpuFinding *finding);

/* Stores a verdict. If that fails, the next session tests again; the failure is not reported. */
void fv_gpu_keep(const FvGpu *gpu, FvGpuSubject subject, const FvGpuFinding *finding);
