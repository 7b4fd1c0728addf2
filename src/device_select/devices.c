#include "device_select/devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/device.h"
#include "gpu/drivers.h"
#include "gpu/selftest/verdicts.h"
#include "os/file.h"
#include "os/memory.h"
#include "os/processors.h"

#define MAX_DEVICES 64

struct FvDeviceList {
    FvDeviceInfo info[MAX_DEVICES];
    int count;
    struct {
        char name[32], title[256], driver[256], limits[256], lacks[256];
    } text[MAX_DEVICES];
    uint64_t bus[MAX_DEVICES]; /* FvGpuInfo.bus */
    bool in_all[MAX_DEVICES];  /* fv_devices_in_all() */
};

#if FV_HAVE_GPU
#define drivers fv_gpu_drivers
#else
static const FvDriver drivers[] = {{NULL, NULL}};
#endif

bool fv_devices_may_have_gpu(void)
{
    static const char *const nodes[] = {"/dev/nvidiactl", "/dev/dri", "/dev/kfd", "/dev/dxg"};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (drivers[0].device && fv_file_exists(nodes[i]))
            return true;
    return false;
}

/*
 * Opens a GPU if it is usable. Otherwise writes why not to passed->passed, unless that has the reason of an earlier
 * GPU already; a failure replaces the lack of a feature.
 */
static bool open_found(FvDevice **device, const FvDriver *driver, int index, const FvGpuInfo *info,
                       const FvDeviceParams *params, FvDevice *passed)
{
    char name[32];
    FvError failure = {0};
    snprintf(name, sizeof name, "%s:%d", driver->device->kind, index);
    FvDeviceParams found = {.name = name, .isa = params->isa, .threads = params->threads};
    if (info->software)
        return false;
    if (!*info->lacks && !driver->device->open(device, &found, &failure))
        return true;
    bool failing = !*info->lacks;
    if (!*passed->passed || (failing && !passed->failing))
        snprintf(passed->passed, sizeof passed->passed,
                 failing ? "%s (%s) could not be opened: %.300s" : "%s (%s) lacks %.300s", name, info->title,
                 failing ? failure.message : info->lacks);
    passed->failing |= failing;
    return false;
}

FvStatus fv_devices_open_best(FvDevice **device, const FvDriver *list, const FvDeviceParams *params, FvError *error)
{
    FvDevice passed = {.ops = NULL};
    bool open = false;
    for (; list->device && !open; list++) {
        FvGpuInfo info;
        char absent[256];
        for (int i = 0; !open && list->driver->describe(i, &info, absent, sizeof absent); i++)
            open = open_found(device, list, i, &info, params, &passed);
    }
    FvStatus status = open ? FV_OK : fv_device_cpu.open(device, params, error);
    if (status)
        return status;
    memcpy((*device)->passed, passed.passed, sizeof passed.passed);
    (*device)->failing = passed.failing;
    return FV_OK;
}

/* Returns the index of the driver for a device's name; -1: no such driver, with the reason in *error. */
static int find_driver(const char *name, FvError *error)
{
    size_t length = strcspn(name, ":");
    for (int d = 0; drivers[d].device; d++) {
        const char *kind = drivers[d].device->kind;
        if (length == strlen(kind) && !strncmp(name, kind, length) && fv_device_index(name) >= 0)
            return d;
    }
    static const char *const kinds[] = {"vulkan", "cuda", "hip"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (length == strlen(kinds[i]) && !strncmp(name, kinds[i], length) && fv_device_index(name) >= 0) {
            fv_fail(error, FV_FAIL_NO_DEVICE, "this build has no %s devices; 'fovea devices' lists its devices",
                    kinds[i]);
            return -1;
        }
    }
    fv_fail(error, FV_ERROR_USAGE,
            "unknown device '%s': use auto, cpu, vulkan[:N], cuda[:N] or hip[:N]; 'fovea devices' lists them", name);
    return -1;
}

/* Opens the device of the caller's CUDA context. A name other than "auto" must be that of a CUDA device. */
static FvStatus open_in_context(FvDevice **device, const FvDeviceParams *params, const char *name, FvError *error)
{
    FvDeviceParams named = *params;
    named.name = strcmp(name, "auto") ? name : "cuda";
    if (strncmp(named.name, "cuda", 4))
        return fv_fail(error, FV_ERROR_USAGE,
                       "device '%s' cannot work in a CUDA context: use auto, cuda or the context's own cuda:N", name);
    int d = find_driver(named.name, error);
    return d < 0 ? error->status : drivers[d].device->open(device, &named, error);
}

FvStatus fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    const char *name = params->name ? params->name : "auto";
    if (params->cuda_context)
        return open_in_context(device, params, name, error);
    if (!strcmp(name, "auto"))
        return fv_devices_may_have_gpu() ? fv_devices_open_best(device, drivers, params, error)
                                         : fv_device_cpu.open(device, params, error);
    if (!strcmp(name, "cpu"))
        return fv_device_cpu.open(device, params, error);
    int d = find_driver(name, error);
    return d < 0 ? error->status : drivers[d].device->open(device, params, error);
}

FvStatus fv_devices_open_gpu(FvGpu **gpu, const char *name, FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    *gpu = NULL;
    if (!strcmp(name, "auto"))
        return fv_fail(error, FV_ERROR_USAGE,
                       "device 'auto' is for scoring; name a device here: cpu, vulkan[:N], cuda[:N] or hip[:N]");
    int d = find_driver(name, error);
    return d < 0 ? error->status : drivers[d].driver->open(gpu, fv_device_index(name), error);
}

static void list_cpu(FvDeviceList *list)
{
    fv_processor_title(list->text[0].title, sizeof list->text[0].title);
    char *driver = list->text[0].driver;
    for (int isa = FV_ISA_COUNT - 1; isa >= 0; isa--) {
        size_t used = strlen(driver);
        if (fv_isa_usable(isa))
            snprintf(driver + used, sizeof list->text[0].driver - used, "%s%s", used ? " " : "", fv_isa_name(isa));
    }
    list->info[list->count++] = (FvDeviceInfo){
        .name = "cpu",
        .title = list->text[0].title,
        .driver = driver,
        .memory = fv_memory_installed(),
        .usable = true,
        .limits = "",
        .lacks = "",
    };
}

static void list_gpu(FvDeviceList *list, const char *kind, int index, const FvGpuInfo *gpu)
{
    int at = list->count++;
    bool counted = false; /* an earlier driver has the GPU */
    for (int i = 0; i < at; i++)
        counted |= gpu->bus && gpu->bus == list->bus[i] && list->in_all[i];
    list->bus[at] = gpu->bus;
    list->in_all[at] = !*gpu->lacks && !gpu->software && !counted;
    snprintf(list->text[at].name, sizeof list->text[at].name, index < 0 ? "%s" : "%s:%d", kind, index);
    snprintf(list->text[at].title, sizeof list->text[at].title, "%s", gpu->title);
    snprintf(list->text[at].driver, sizeof list->text[at].driver, "%s", gpu->driver);
    snprintf(list->text[at].limits, sizeof list->text[at].limits, "%s", gpu->limits);
    snprintf(list->text[at].lacks, sizeof list->text[at].lacks, "%s", gpu->lacks);
    list->info[at] = (FvDeviceInfo){
        .name = list->text[at].name,
        .title = list->text[at].title,
        .driver = list->text[at].driver,
        .memory = gpu->memory,
        .usable = !*gpu->lacks,
        .limits = list->text[at].limits,
        .lacks = list->text[at].lacks,
        .software = gpu->software,
    };
}

FvStatus fv_devices_list_of(FvDeviceList **list, const FvDriver *of, FvError *error)
{
    FvDeviceList *devices = *list = calloc(1, sizeof *devices);
    if (!devices)
        return fv_fail_memory(error, sizeof *devices);
    list_cpu(devices);
    for (; of->device; of++) {
        FvGpuInfo gpu = {0};
        int i = 0;
        while (devices->count < MAX_DEVICES - 2 && of->driver->describe(i, &gpu, gpu.lacks, sizeof gpu.lacks))
            list_gpu(devices, of->device->kind, i++, &gpu);
        if (i == 0)
            list_gpu(devices, of->device->kind, -1, &gpu);
    }
    return FV_OK;
}

FvStatus fv_devices_list(FvDeviceList **list, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, list);
    return fv_devices_list_of(list, drivers, error);
}

FvKnown fv_devices_known(FvDevice *device, const FvFeature *feature)
{
#if FV_HAVE_GPU
    FvGpuFinding finding;
    if (fv_gpu_find(device ? fv_gpu_of_device(device) : NULL, fv_gpu_subject(feature), &finding))
        return (FvKnown){.tested = true, .good = finding.good, .speed = finding.speed};
#else
#endif
    return (FvKnown){.tested = false};
}

bool fv_devices_in_all(const FvDeviceList *list, int i)
{
    return list && i >= 0 && i < list->count && list->in_all[i];
}

int fv_devices_count(const FvDeviceList *list)
{
    return list ? list->count : 0;
}

const FvDeviceInfo *fv_devices_info(const FvDeviceList *list, int i)
{
    return list && i >= 0 && i < list->count ? &list->info[i] : NULL;
}

void fv_devices_close(FvDeviceList **list)
{
    if (!list)
        return;
    free(*list);
    *list = NULL;
}
