/* Tests the choice of "auto": which GPU it uses, and its sentence about a GPU that it does not use. */
#include "unit.h"

#include <stdio.h>

#include "base/error.h"
#include "device/instances.h"
#include "device_select/devices.h"
#include "device_select/estimate.h"
#include "feature/butteraugli.h"
#include "feature/psnr.h"
#include "feature/speed.h"
#include "gpu/device.h"
#include "gpu/gpu_device.h"
#include "metric/metric.h"
#include "picture/frame.h"

/* A letter for each GPU of a fake driver: "-" cannot be opened, "!" lacks a capability, "~" is software, "+" is
 * usable. A digit is usable, too, and its PCI address; 0: unknown. */
static const char *gpus;

static bool describe(int index, FvGpuInfo *info, char *absent, size_t size)
{
    *info = (FvGpuInfo){.title = "a test's"};
    if (index >= (int)strlen(gpus)) {
        snprintf(absent, size, "there are no more");
        return false;
    }
    info->software = gpus[index] == '~';
    info->bus = gpus[index] >= '0' && gpus[index] <= '9' ? FV_GPU_BUS(0, gpus[index] - '0', 0) : 0;
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

/* Checks which device "auto" opens. title: the GPU's, or NULL for the CPU; passed: the sentence about an unused
 * GPU. */
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
    best("", NULL, "", false);
    best("~", NULL, "", false);
    best("+", "first:0", "", false);
    best("~+", "first:1", "", false);
    best("-+", "first:1", "first:0 (a test's) could not be opened: first:0 is busy", true);
    best("-", NULL, "first:0 (a test's) could not be opened: first:0 is busy", true);
    best("!", NULL, "first:0 (a test's) lacks numbers", false);
    best("!!-!", NULL, "first:2 (a test's) could not be opened: first:2 is busy", true);
}

static const char *others; /* the GPUs of the second driver */

static bool describe_other(int index, FvGpuInfo *info, char *absent, size_t size)
{
    const char *const firsts = gpus;
    gpus = others;
    const bool there = describe(index, info, absent, size);
    gpus = firsts;
    return there;
}

/* "all" has each usable hardware GPU once, by the first driver that can use it. */
static void test_all(void **state)
{
    static const FvGpuOps other = {.describe = describe_other};
    static const FvDriver two[] = {{&first, &driver}, {&second, &other}, {NULL, NULL}};
    static const struct {
        const char *gpus, *others, *all;
    } rows[] = {
        {"", "", ""},
        {"12", "12", "first:0 first:1 "},
        {"12", "213", "first:0 first:1 second:2 "},
        {"!2", "12", "first:1 second:0 "},
        {"", "1~2", "second:0 second:2 "},
        {"~1", "~1", "first:1 "},
        {"00", "0+", "first:0 first:1 second:0 second:1 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FvDeviceList *list;
        char all[256] = "";
        gpus = rows[i].gpus;
        others = rows[i].others;
        assert_works(fv_devices_list_of(&list, two, error));
        for (int k = 0; k < fv_devices_count(list); k++)
            if (fv_devices_in_all(list, k))
                snprintf(all + strlen(all), sizeof all - strlen(all), "%s ", fv_devices_info(list, k)->name);
        assert_string_equal(all, rows[i].all);
        fv_devices_close(&list);
    }
}

/* Returns the estimate_params of a feature that passed its self-test, but whose speed is unknown. */
static FvEstimateParams estimate_params(int64_t pairs, int width, int height, const FvFeature *feature, int videos,
                                        int processors)
{
    const double samples = (double)width * height;
    FvEstimateParams estimate_params = {
        .pairs = pairs, .samples = samples, .bytes = 6 * samples, .videos = videos, .processors = processors};
    fv_estimate_add(&estimate_params, feature, &(FvKnown){.tested = true, .good = true});
    if (!feature->gpu) { /* this build has no GPU support */
        estimate_params.gpu_cost = estimate_params.host_cost / 75;
        estimate_params.host_cost = 0;
    }
    return estimate_params;
}

static bool takes_gpu(FvEstimateParams estimate_params)
{
    const FvEstimate estimate = fv_estimate(&estimate_params);
    assert_true(estimate.cpu > 0 && estimate.gpu > 0);
    return estimate.gpu < estimate.cpu;
}

/* Checks whether "auto" chooses the CPU or the GPU, by length, frame size, cost and number of processors. */
static void test_estimate(void **state)
{
    const FvFeature *psnr = &fv_feature_psnr, *butteraugli = &fv_feature_butteraugli;
    assert_false(takes_gpu(estimate_params(1, 3840, 2160, psnr, 0, 16)));
    assert_false(takes_gpu(estimate_params(120, 3840, 2160, psnr, 0, 16)));
    assert_false(takes_gpu(estimate_params(1000, 640, 360, psnr, 0, 16)));
    assert_true(takes_gpu(estimate_params(5000, 3840, 2160, psnr, 0, 16)));
    assert_true(takes_gpu(estimate_params(1000, 3840, 2160, psnr, 0, 2)));
    assert_false(takes_gpu(estimate_params(5, 1920, 1080, butteraugli, 0, 16)));
    assert_true(takes_gpu(estimate_params(120, 1920, 1080, butteraugli, 0, 16)));
    assert_true(takes_gpu(estimate_params(10, 3840, 2160, butteraugli, 0, 2)));
    /* For this decoded video a GPU pays off only if it decodes, too. */
    assert_false(takes_gpu(estimate_params(700, 3840, 2160, psnr, 2, 16)));
    FvEstimateParams decoded = estimate_params(700, 3840, 2160, psnr, 2, 16);
    decoded.hwdec = 2;
    assert_true(takes_gpu(decoded));
    decoded.pairs = 60; /* a GPU's decoders take long to open */
    assert_false(takes_gpu(decoded));
}

/* Checks the estimate for each finding that earlier sessions can have stored about a feature on the device. */
static void test_known(void **state)
{
    const FvKnown findings[] = {
        {.tested = false},
        {.tested = true},
        {.tested = true, .good = true},
        {.tested = true, .good = true, .speed = 2},
        {.tested = true, .good = true, .speed = 150},
        {.tested = true, .good = true, .speed = 2, .shown = {0, fv_feature_butteraugli.cost / 300.0}}};
    double before = 1e9;
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++) {
        FvEstimateParams ten = {.pairs = 10, .samples = 1920 * 1080, .bytes = 12e6, .processors = 16}, open;
        fv_estimate_add(&ten, &fv_feature_butteraugli, &findings[i]);
        const FvEstimate estimate = fv_estimate(&ten);
        if (!fv_feature_butteraugli.gpu) { /* this build has no GPU support */
            assert_true(ten.host_cost > 0 && !ten.untested && estimate.gpu > estimate.cpu);
            continue;
        }
        /* The self-test costs seconds. After a failed self-test the CPU does the work. A slow device is not used. */
        assert_int_equal(ten.untested, i == 0);
        assert_int_equal(ten.host_cost > 0, i == 1);
        assert_true(i == 0 ? estimate.gpu > 2 : estimate.gpu < 2);
        if (i >= 3) { /* a faster device has a lower estimate */
            assert_true(estimate.gpu < before);
            before = estimate.gpu;
        }
        open = ten;
        open.open = true;
        assert_true(fv_estimate(&open).gpu < estimate.gpu && fv_estimate(&open).cpu == estimate.cpu);
    }
    FvEstimateParams slow = estimate_params(5000, 1920, 1080, &fv_feature_butteraugli, 0, 4);
    assert_true(takes_gpu(slow));
    slow.gpu_cost = slow.host_cost = 0;
    fv_estimate_add(&slow, &fv_feature_butteraugli, &(FvKnown){.tested = true, .good = true, .speed = 1.5});
    slow.cost /= 2;
    assert_false(takes_gpu(slow));
}

/* Speeds that earlier runs measured take precedence over the constants. */
static void test_shown(void **state)
{
    const FvFeature *psnr = &fv_feature_psnr;
    FvEstimateParams few = estimate_params(120, 3840, 2160, psnr, 0, 16),
                     many = estimate_params(5000, 3840, 2160, psnr, 0, 16);
    assert_false(takes_gpu(few));
    few.start[1] = 0.01;
    few.arrival[0] = 1.0 / 16;
    few.arrival[1] = 1e-3;
    assert_true(takes_gpu(few));
    const FvEstimate estimate = fv_estimate(&few);
    assert_true(estimate.gpu > 120e-3 && estimate.gpu < 0.01 + 120e-3 + 0.2);
    assert_true(estimate.cpu >= 120.0 / 16);
    few.start[0] = 3;
    assert_true(fv_estimate(&few).cpu >= 3 + 120.0 / 16);
    assert_true(takes_gpu(many));
    many.arrival[1] = 1;
    assert_false(takes_gpu(many));
    FvEstimateParams decoded = estimate_params(100, 640, 360, psnr, 2, 1);
    decoded.work = 1;
    assert_true(fv_estimate(&decoded).cpu > 100);
    FvEstimateParams slow = {.pairs = 100, .samples = 1e6, .processors = 1};
    fv_estimate_add(&slow, psnr, &(FvKnown){.tested = true, .good = true, .shown = {5e6, 1}});
    assert_true(fv_estimate(&slow).cpu > 499 && fv_estimate(&slow).cpu < 501);
}

/* Every feature has a cost above 0. */
static void test_costs(void **state)
{
    for (int m = 0; m < fv_metric_count(); m++) {
        FvWants wants = {.count = 0};
        assert_works(fv_metric_default_features(fv_metric_at(m), &wants, error));
        for (int w = 0; w < wants.count; w++)
            assert_true(wants.item[w].feature->cost > 0);
        fv_wants_free(&wants);
    }
}

#if FV_HAVE_GPU
static uint64_t room;

static uint64_t available(FvGpu *gpu)
{
    return room;
}

/* Checks the number of pairs that a GPU has in flight by default: three batches, whose size follows from the frame
 * size or from a feature's request. */
static void test_in_flight(void **state)
{
    static const FvGpuOps ops = {.available = available};
    FvGpu gpu = {.ops = &ops};
    FvGpuDevice device = {.gpu = &gpu};
    const FvFormat format = {.width = 3840, .height = 2160, .chroma = FV_CHROMA_420, .depth = 10};
    const uint64_t three =
        6 * (uint64_t)fv_format_plane_bytes(&format); /* memory of one pair in each of three batches */
    FvFeatureInstance quick = {.feature = &fv_feature_psnr, .dis = format},
                      slow = {.feature = &fv_feature_speed_chroma, .dis = format};
    const struct {
        const FvFeatureInstance *run;
        FvArrival arrival;
        uint64_t room;
        int most;
    } cases[] = {{&quick, FV_ARRIVES_PUSHED, 400 * three, 12},
                 {&slow, FV_ARRIVES_RAW, 400 * three, 12},
                 {&slow, FV_ARRIVES_CODED, 400 * three, 48},
                 {&slow, FV_ARRIVES_PUSHED, 4 * 5 * three, 15},
                 {&slow, FV_ARRIVES_PUSHED, 0, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        room = cases[i].room;
        const int most = fv_gpu_device_in_flight((FvDevice *)&device, cases[i].run, 1, cases[i].arrival);
        if (most != cases[i].most)
            fail_msg("case %zu: %d pairs in flight", i, most);
    }
    /* With the smallest frames, a batch never exceeds its maximum number of pairs. */
    slow.dis.width = slow.dis.height = 64;
    room = UINT64_MAX;
    assert_int_equal(fv_gpu_device_in_flight((FvDevice *)&device, &slow, 1, FV_ARRIVES_PUSHED),
                     3 * FV_GPU_BATCH_PAIRS);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_costs),
#if FV_HAVE_GPU
        cmocka_unit_test(test_in_flight),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
