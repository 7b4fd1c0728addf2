/*
 * Tests that the self-test of each feature and skill launches every kernel of it: a GPU computes no score and decodes
 * no frame with a kernel that was not compared with plain C before. The GPU is one on which kernels do nothing, so
 * their results count as equal here.
 */
#include <string.h>

#include "device/instances.h"
#include "device_select/devices.h"
#include "fail/driver.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/selftest.h"
#include "metric/metric.h"
#include "tap/tap.h"

enum { MOST = 200 };

static const char *ran[MOST]; /* names of the kernels that ran */
static int ran_count;
static FvGpuOps recording; /* the driver's functions, with the test's `launch` in place of the driver's */

static bool has_run(const FvKernel *kernel)
{
    for (int i = 0; i < ran_count; i++)
        if (!strcmp(ran[i], kernel->name))
            return true;
    return false;
}

static void launch(FvGpu *gpu, FvGpuQueue queue, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y,
                   uint32_t z)
{
    if (ran_count < MOST && !has_run(kernel))
        ran[ran_count++] = kernel->name;
}

FvTestVerdict __real_fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                                    uint64_t seed, int fill, int frames, char *why, size_t size);
FvTestVerdict __wrap_fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                                    uint64_t seed, int fill, int frames, char *why, size_t size);
FvTestVerdict __wrap_fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                                    uint64_t seed, int fill, int frames, char *why, size_t size)
{
    const FvTestVerdict verdict = __real_fv_gpu_compare(gpu, feature, options, format, seed, fill, frames, why, size);
    return verdict == FV_TEST_DIFFERS ? FV_TEST_SAME : verdict;
}

/* Judges whether the self-test that has just run launched all kernels of its subject. */
static void judge(Tap *tap, FvGpuSubject subject, bool good, const char *why)
{
    char missing[400] = "never ran:";
    const size_t none = strlen(missing);
    for (const FvKernel *const *kernel = subject.kernels; *kernel; kernel++)
        if (!has_run(*kernel)) {
            const size_t used = strlen(missing);
            snprintf(missing + used, sizeof missing - used, " %s", (*kernel)->name);
        }
    tap_case(tap, good && !missing[none], subject.name, good ? missing : why);
    ran_count = 0;
}

int main(void)
{
    Tap tap = {0};
    FvGpu *gpu = NULL;
    FvError error = {0};
    const FvFeature *seen[100];
    int count = 0;
    failing_fake.reset(true);
    if (fv_devices_open_gpu(&gpu, "fake", &error))
        return 1;
    recording = *gpu->ops;
    recording.launch = launch;
    gpu->ops = &recording;
    for (int m = 0; m < fv_metric_count(); m++) {
        FvWants wants = {.count = 0};
        if (fv_metric_default_features(fv_metric_at(m), &wants, &error))
            return 1;
        for (int w = 0; w < wants.count; w++) {
            bool known = !wants.item[w].feature->gpu;
            for (int i = 0; i < count; i++)
                known |= seen[i] == wants.item[w].feature;
            if (known)
                continue;
            seen[count++] = wants.item[w].feature;
            char why[512] = "";
            const FvTestVerdict verdict = fv_gpu_verify_feature(gpu, seen[count - 1], why, sizeof why);
            judge(&tap, fv_gpu_subject(seen[count - 1]), verdict == FV_TEST_SAME, why);
        }
        fv_wants_free(&wants);
    }
    for (const FvGpuSkill *const *skill = fv_gpu_skills; *skill; skill++) {
        char why[512] = "";
        FvTestVerdict verdict = FV_TEST_SAME;
        for (int number = 0; verdict == FV_TEST_SAME || verdict == FV_TEST_DIFFERS; number++)
            verdict = (*skill)->verify(gpu, number, why, sizeof why);
        judge(&tap, (*skill)->subject, verdict == FV_TEST_REFUSES, why);
    }
    gpu->ops->close(&gpu);
    return tap_done(&tap);
}
