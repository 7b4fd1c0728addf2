/* What "auto" stands for: which GPU it takes, and what it says of one that it does not. */
#include "unit.h"

#include <stdio.h>

#include "devices.h"
#include "error.h"
#include "gpu/gpu.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
