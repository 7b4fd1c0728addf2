/* NVIDIA's part of the CUDA backend: loads libcuda.so.1, describes a device, and loads the code of a kernel. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gpu/cuda/driver.h"
#include "library_names.h"
#include "os/library.h"
#include "os/thread.h"

static void load_library(void);
static CudaLibrary library = {.once = FV_ONCE, .load = load_library};

static void load_library(void)
{
    CudaDriver *driver = &library.functions;
    void *file = fv_library_open(FV_LIBRARY_CUDA);
    if (!file) {
        snprintf(library.reason, sizeof library.reason,
                 "NVIDIA's driver library " FV_LIBRARY_CUDA " is not installed");
        return;
    }
#define LOAD(member, symbol, hip, parameters)                                                                        \
    *(void **)&driver->member = fv_library_find(file, symbol);                                                       \
    if (!driver->member) {                                                                                           \
        snprintf(library.reason, sizeof library.reason, "NVIDIA's driver is too old: it lacks " symbol);             \
        return;                                                                                                      \
    }
    FV_CUDA_FUNCTIONS(LOAD)
    CuResult result = driver->cuInit(0);
    if (result) {
        const char *text = NULL;
        driver->cuGetErrorString(result, &text);
        snprintf(library.reason, sizeof library.reason, "NVIDIA's driver cannot be used: %s",
                 text ? text : "unknown error");
        return;
    }
    library.usable = true;
}

static void describe(const CudaDriver *cu, CuDevice device, FvGpuInfo *info)
{
    *info = (FvGpuInfo){0};
    int version = 0, major = 0, minor = 0;
    size_t memory = 0;
    cu->cuDriverGetVersion(&version);
    cu->cuDeviceGetName(info->title, sizeof info->title, device);
    cu->cuDeviceTotalMem(&memory, device);
    cu->cuDeviceGetAttribute(&major, CU_ATTRIBUTE_MAJOR, device);
    cu->cuDeviceGetAttribute(&minor, CU_ATTRIBUTE_MINOR, device);
    char release[64] = "";
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (!file || !fgets(release, sizeof release, file))
        *release = '\0';
    if (file)
        fclose(file);
    release[strcspn(release, "\n")] = '\0';
    snprintf(info->driver, sizeof info->driver, "NVIDIA %s%sCUDA %d.%d, compute capability %d.%d", release,
             *release ? ", " : "", version / 1000, version % 1000 / 10, major, minor);
    int threads = 0, shared = 0, warp = 0, multiprocessors = 0;
    cu->cuDeviceGetAttribute(&threads, CU_ATTRIBUTE_THREADS, device);
    cu->cuDeviceGetAttribute(&shared, CU_ATTRIBUTE_SHARED, device);
    cu->cuDeviceGetAttribute(&warp, CU_ATTRIBUTE_WARP, device);
    cu->cuDeviceGetAttribute(&multiprocessors, CU_ATTRIBUTE_MULTIPROCESSORS, device);
    snprintf(info->limits, sizeof info->limits,
             "%d threads and %d KiB shared memory a block, warps of %d, %d multiprocessors", threads, shared >> 10,
             warp, multiprocessors);
    info->memory = memory;
    info->float64 = true;
    info->feeds = true;
    if (major * 10 + minor < 75)
        snprintf(info->lacks, sizeof info->lacks, "compute capability 7.5");
}

static CuResult load(const CudaDriver *cu, CuModule *module, void **image, const FvKernel *kernel)
{
    return kernel->cuda ? cu->cuModuleLoadData(module, kernel->cuda) : CU_NO_BINARY;
}

const CudaVendor fv_cuda_nvidia = {
    .name = "CUDA",
    .driver = "NVIDIA's driver",
    .contexts = true,
    .library = &library,
    .pci = {50, 33, 34},
    .describe = describe,
    .load = load,
};
