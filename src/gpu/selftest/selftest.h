/*
 * Tests that a GPU computes the bits of the CPU. Drivers miscompile kernels, and float controls differ: nothing is
 * scored on a device before it has given the same bits on small frames, in every operation of the arithmetic and in
 * every feature. Verdicts are stored in a file (gpu/selftest/verdicts.h), per device, driver, kernels and numerics
 * version, with the feature's speed. If a test fails to run, for lack of memory or because of the driver, there is no
 * verdict: the next session tests again.
 */
#pragma once

#include "device/device.h"
#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"
#include "kernel/primitives.h"
#include "picture/prepare.h"

/* A skill, which is tested and trusted as a unit. */
typedef struct FvGpuSkill {
    const FvFeature *feature; /* or NULL, and */
    FvGpuSubject subject;
    FvTestVerdict (*verify)(FvGpu *gpu, char *why, size_t size);
} FvGpuSkill;

extern const FvGpuSkill fv_gpu_scaling, fv_gpu_decoding; /* frames prepared; pictures of video decoders taken over */

/* The verdict on a skill, tested now when it is not known. `why` says which kernel failed and how. */
bool fv_gpu_trusts(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);

/* Tests a skill even if there is a verdict. */
bool fv_gpu_retest(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);

/* Implements FvDeviceOps.expect: loads the kernels of all features that must be tested. */
void fv_gpu_device_expect(FvDevice *device, const FvRun *runs, int count, const FvListener *listener);

/* Implements FvDeviceOps.supports: accepts only what the device can do and is trusted with. */
bool fv_gpu_device_trusted(FvDevice *device, const FvRun *run, char *why, size_t size);

/* Implements FvDeviceOps.prepares: accepts only what the device can do and is trusted with. */
bool fv_gpu_device_prepares(FvDevice *device, const FvPreparation *preparation, char *why, size_t size);

/* Tests now. fv_gpu_verify_primitives is part of fv_gpu_trusts for every skill. */
FvTestVerdict fv_gpu_verify_primitives(FvGpu *gpu, char *why, size_t size);
/* Tests each operation: same[i] is the result for fv_gpu_primitive(i), "a + b". `why` names the first difference. */
FvTestVerdict fv_gpu_test_primitives(FvGpu *gpu, bool same[FV_PRIMITIVES], char *why, size_t size);
const char *fv_gpu_primitive(int primitive);
FvTestVerdict fv_gpu_verify_feature(FvGpu *gpu, const FvFeature *feature, char *why, size_t size);
