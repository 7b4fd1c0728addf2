/* What "auto" stands for: which GPU it takes, and what it says of one that it does not. */
#include "unit.h"

#include <stdio.h>

#include "auto_device.h"
#include "devices.h"
#include "error.h"
#include "feature/butteraugli.h"
#include "feature/psnr.h"
#include "gpu/gpu.h"
#include "metric.h"
#include "runs.h"

/* GPUs of a driver that is none: "-" cannot be opened, "!" lacks something, "~" is software, "+" is good. */
static const char *gpus;

static bool describe(int index, FvGpuInfo *info, char *absent, size_t size)
{
    *info = (FvGpuInfo){.title = "a test's"};
    if (index >= (int)strlen(gpus)) {
        snprintf(absent, size, "there are no more");
        return false;
    }
    info->software = gpus[index] == '~';
    if (gpus[index] == '!')
        snprintf(info->lacks, sizeof info->lacks, "numbers");
    return true;
}

static FvDevice opened;

static FvStatus open_gpu(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    int index = fv_device_index(params->name);
    if (gpus[index] != '+')
        return fv_fail(error, FV_ERROR_DEVICE, "%s is busy", params->name);
    snprintf(opened.title, sizeof opened.title, "%s", params->name);
    *device = &opened;
    return FV_OK;
}

static const FvDeviceOps first = {.kind = "first", .open = open_gpu}, second = {.kind = "second", .open = open_gpu};
static const FvGpuOps driver = {.describe = describe};
static const FvDriver drivers[] = {{&first, &driver}, {&second, &driver}, {NULL, NULL}};

/* title NULL: the CPU. */
static void best(const char *list, const char *title, const char *passed, bool failing)
{
    FvDevice *device = NULL;
    FvDeviceParams params = {.name = "auto", .threads = 1};
    gpus = list;
    opened = (FvDevice){.ops = &first};
    assert_works(fv_devices_open_best(&device, drivers, &params, error));
    assert_int_equal(device == &opened, title != NULL);
    if (title)
        assert_string_equal(device->title, title);
    assert_string_equal(device->passed, passed);
    assert_int_equal(device->failing, failing);
    if (!title)
        device->ops->close(&device);
}

static void test_best(void **state)
{
    (void)state;
    best("", NULL, "", false);
    best("~", NULL, "", false);
    best("+", "first:0", "", false);
    best("~+", "first:1", "", false);
    best("-+", "first:1", "first:0 (a test's) could not be opened: first:0 is busy", true);
    best("-", NULL, "first:0 (a test's) could not be opened: first:0 is busy", true);
    best("!", NULL, "first:0 (a test's) lacks numbers", false);
    best("!!-!", NULL, "first:2 (a test's) could not be opened: first:2 is busy", true);
}

static FvWorkload workload(int64_t pairs, int width, int height, double cost, int videos, int processors)
{
    const double samples = (double)width * height;
    return (FvWorkload){.pairs = pairs,
                        .samples = samples,
                        .bytes = 6 * samples,
                        .cost = cost,
                        .videos = videos,
                        .processors = processors};
}

static bool takes_gpu(FvWorkload workload)
{
    const FvEstimate estimate = fv_estimate(&workload);
    assert_true(estimate.cpu > 0 && estimate.gpu > 0);
    return estimate.gpu < estimate.cpu;
}

/* What "auto" takes of CPU and GPU: by length, by size, by cost, by processors. */
static void test_estimate(void **state)
{
    (void)state;
    const double psnr = fv_feature_psnr.cost, butteraugli = fv_feature_butteraugli.cost;
    assert_false(takes_gpu(workload(1, 3840, 2160, psnr, 0, 16)));
    assert_false(takes_gpu(workload(120, 3840, 2160, psnr, 0, 16)));
    assert_false(takes_gpu(workload(1000, 640, 360, psnr, 0, 16)));
    assert_true(takes_gpu(workload(5000, 3840, 2160, psnr, 0, 16)));
    assert_true(takes_gpu(workload(1000, 3840, 2160, psnr, 0, 2)));
    assert_false(takes_gpu(workload(5, 1920, 1080, butteraugli, 0, 16)));
    assert_true(takes_gpu(workload(120, 1920, 1080, butteraugli, 0, 16)));
    assert_true(takes_gpu(workload(10, 3840, 2160, butteraugli, 0, 2)));
    /* Videos that the CPU decodes wherever they are scored, and videos that the GPU decodes as well. */
    assert_false(takes_gpu(workload(700, 3840, 2160, psnr, 2, 16)));
    FvWorkload decoded = workload(700, 3840, 2160, psnr, 2, 16);
    decoded.chip = 2;
    assert_true(takes_gpu(decoded));
    decoded.pairs = 10;
    assert_false(takes_gpu(decoded));
}

/* Every feature that something is computed in has a cost. */
static void test_costs(void **state)
{
    (void)state;
    for (int m = 0; m < fv_metric_count(); m++) {
        FvWants wants = {.count = 0};
        assert_works(fv_metric_default_features(fv_metric_at(m), &wants, error));
        for (int w = 0; w < wants.count; w++)
            assert_true(wants.item[w].feature->cost > 0);
        fv_wants_free(&wants);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_best), cmocka_unit_test(test_estimate),
                                       cmocka_unit_test(test_costs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
