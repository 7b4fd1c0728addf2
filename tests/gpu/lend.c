/*
 * Lends one open Vulkan device to the sessions and stills of a test, one after the other, so that the driver compiles
 * each kernel once. The linker redirects the library's uses of fv_gpu_vulkan to the test's driver.
 */
#include <stdlib.h>

#include "gpu/gpu.h"

extern const FvGpuOps __real_fv_gpu_vulkan;
extern FvGpuOps __wrap_fv_gpu_vulkan;
FvGpuOps __wrap_fv_gpu_vulkan;

static FvGpu *gpu;
static bool lent;

static void close_own(void)
{
    __real_fv_gpu_vulkan.close(&gpu);
}

/* Lends the device. Opens another one if it is lent already, or has another index. */
static FvStatus lend(FvGpu **to, int index, FvError *error)
{
    if (lent || (gpu && index != gpu->index))
        return __real_fv_gpu_vulkan.open(to, index, error);
    if (!gpu) {
        const FvStatus status = __real_fv_gpu_vulkan.open(&gpu, index, error);
        if (status)
            return status;
        atexit(close_own);
    }
    lent = true;
    *to = gpu;
    return FV_OK;
}

static void take_back(FvGpu **from)
{
    if (*from != gpu) {
        __real_fv_gpu_vulkan.close(from);
        return;
    }
    *from = NULL;
    gpu->profile = false;
    lent = false;
}

__attribute__((constructor)) static void prepare(void)
{
    __wrap_fv_gpu_vulkan = __real_fv_gpu_vulkan;
    __wrap_fv_gpu_vulkan.open = lend;
    __wrap_fv_gpu_vulkan.close = take_back;
}
