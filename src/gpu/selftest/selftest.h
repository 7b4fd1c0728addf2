/*
 * Tests that a GPU computes the same bits as the CPU. Drivers miscompile kernels, and float controls differ. So
 * nothing is scored on a device before it has given the same bits on small frames, for every arithmetic operation and
 * for every feature. Verdicts are stored in a file (gpu/selftest/verdicts.h), per device, driver, kernels and
 * numerics version, with the feature's speed. If a test cannot run, because of missing memory or the driver, there is
 * no verdict, and the next session tests again.
 */
#pragma once

#include "device/device.h"
#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"
#include "kernel/primitives.h"
#include "picture/prepare.h"

/* A skill: what is tested and trusted as a unit. */
typedef struct FvGpuSkill {
    const FvFeature *feature; /* the tested feature; NULL: the skill is `subject` */
    FvGpuSubject subject;
    /* Runs one case of the skill's test. The cases are numbered from 0; FV_TEST_REFUSES: there are no more. */
    FvTestVerdict (*verify)(FvGpu *gpu, int number, char *why, size_t size);
} FvGpuSkill;

/* Preparing frames; copying the pictures of video decoders; decoding ProRes; making frames of pixels. */
extern const FvGpuSkill fv_gpu_scaling, fv_gpu_decoding, fv_gpu_prores, fv_gpu_pixels;

/* All skills that are not features. The last entry is NULL. */
extern const FvGpuSkill *const fv_gpu_skills[];

/*
 * Returns whether the GPU is trusted with a skill; tests it now if there is no verdict. `why` names the failing
 * kernel and its fault.
 */
bool fv_gpu_trusts(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);

/* Tests a skill even if there is already a verdict. */
bool fv_gpu_retest(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);

/* Implements FvDeviceOps.expect: loads the kernels of all features that must be tested. */
void fv_gpu_device_expect(FvDevice *device, const FvFeatureInstance *runs, int count, const FvWaitObserver *observer);

/* Implements FvDeviceOps.supports: accepts only what the device can compute and is trusted with. */
bool fv_gpu_device_trusted(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size);

/* Implements FvDeviceOps.prepares: accepts only what the device can compute and is trusted with. */
bool fv_gpu_device_prepares(FvDevice *device, const FvPreparation *preparation, char *why, size_t size);

/* Implements FvDeviceOps.decodes: accepts packets only if the device is trusted with ProRes. */
bool fv_gpu_device_decodes(FvDevice *device, char *why, size_t size);

/* Implements FvDeviceOps.pixels; fails if the device is not trusted with it. */
FvStatus fv_gpu_device_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvPixels *pixels,
                              int matrix, FvError *error);

/* Tests the arithmetic now. It is a part of fv_gpu_trusts() for every skill. */
FvTestVerdict fv_gpu_verify_primitives(FvGpu *gpu, char *why, size_t size);
/*
 * Tests each arithmetic operation. same[i]: whether operation i agrees; fv_gpu_primitive(i) names it, for example
 * "a + b". `why` names the first difference.
 */
FvTestVerdict fv_gpu_test_primitives(FvGpu *gpu, bool same[FV_PRIMITIVES], char *why, size_t size);
const char *fv_gpu_primitive(int primitive);
FvTestVerdict fv_gpu_verify_feature(FvGpu *gpu, const FvFeature *feature, char *why, size_t size);

/* Runs the cases of a skill that is not a feature, up to the first case that fails. */
FvTestVerdict fv_gpu_verify_skill(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);
