/* Runs the self-tests of a device, metric by metric. */
#include "base/error.h"
#include "device/instances.h"
#include "device_select/devices.h"
#include "gpu/device.h"
#include "gpu/selftest/selftest.h"
#include "metric/metric.h"
#include "os/cancel.h"

#if FV_HAVE_GPU
/* The results so far of the features that metrics with default options use. */
typedef struct Verified {
    const FvFeature *feature[FV_MAX_INSTANCES];
    bool good[FV_MAX_INSTANCES];
    int count;
} Verified;

static bool verify_feature(FvGpu *gpu, Verified *verified, const FvFeature *feature, char *why, size_t size)
{
    for (int i = 0; i < verified->count; i++)
        if (verified->feature[i] == feature)
            return verified->good[i];
    bool good = fv_gpu_retest(gpu, &(FvGpuSkill){.feature = feature}, why, size);
    if (verified->count < FV_MAX_INSTANCES) {
        verified->feature[verified->count] = feature;
        verified->good[verified->count++] = good;
    }
    return good;
}

static FvStatus verify_gpu(FvDevice *device, const FvCancel *cancel,
                           void (*report)(void *, const char *, bool, const char *), void *opaque, FvError *error)
{
    FvStatus status = FV_OK;
    Verified verified = {.count = 0};
    for (int m = 0; m < fv_metric_count(); m++) {
        if (fv_cancel_requested(cancel))
            return fv_fail_cancelled(error, device->title);
        const char *name = fv_metric_info(m)->name;
        char why[512] = "one of its features failed";
        FvWants wants = {.count = 0};
        FvStatus failed = fv_metric_default_features(fv_metric_at(m), &wants, error);
        if (failed)
            return failed;
        bool good = true, has_kernels = false;
        for (int w = 0; w < wants.count; w++)
            if (wants.item[w].feature->gpu) {
                has_kernels = true;
                good &= verify_feature(fv_gpu_of_device(device), &verified, wants.item[w].feature, why, sizeof why);
            }
        fv_wants_free(&wants);
        if (has_kernels)
            report(opaque, name, good, good ? "" : why);
        if (!good)
            status = fv_fail(error, FV_ERROR_DEVICE, "%s: %s", name, why);
    }
    for (const FvGpuSkill *const *skill = fv_gpu_skills; *skill; skill++) {
        if (fv_cancel_requested(cancel))
            return fv_fail_cancelled(error, device->title);
        char why[512] = "";
        const bool good = fv_gpu_retest(fv_gpu_of_device(device), *skill, why, sizeof why);
        report(opaque, (*skill)->subject.name, good, good ? "" : why);
        if (!good)
            status = fv_fail(error, FV_ERROR_DEVICE, "%s: %s", (*skill)->subject.name, why);
    }
    return status;
}
#endif

FvStatus fv_device_verify(const char *name, const FvCancel *cancel,
                          void (*report)(void *opaque, const char *metric, bool good, const char *why), void *opaque,
                          FvError *error)
{
    FV_FLOAT_MODE;
    FvDevice *device;
    FV_REQUIRE(error, name);
    FV_REQUIRE(error, report);
    FvStatus status =
        fv_device_open(&device, &(FvDeviceParams){.name = name, .isa = FV_ISA_SCALAR, .threads = 1}, error);
    if (status)
        return status;
#if FV_HAVE_GPU
    if (device->ops != &fv_device_cpu)
        status = verify_gpu(device, cancel, report, opaque, error);
#else
#endif
    device->ops->close(&device);
    return status;
}
