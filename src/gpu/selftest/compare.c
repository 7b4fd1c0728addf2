#include "gpu/selftest/compare.h"

#include "gpu/device.h"
#include "os/memory.h"
#include "os/thread.h"

#define SPEED_SECONDS 0.2 /* maximum time of one speed measurement */

/* Locked while a test uses a GPU: tests run in parallel, but only one may use the GPU. */
static FvMutex on_gpu = FV_MUTEX;

void fv_gpu_test_begin(void)
{
    fv_lock(&on_gpu);
}

void fv_gpu_test_end(void)
{
    fv_unlock(&on_gpu);
}

static FvStatus open_gpu(void *gpu, FvDevice **device, FvError *error)
{
    fv_gpu_test_begin();
    return fv_gpu_device_borrow(device, gpu, error);
}

static void close_gpu(void *gpu, FvDevice **device)
{
    fv_gpu_device_close(device);
    fv_gpu_test_end();
}

static bool takes(void *gpu, FvFeatureInstance *run, char *why, size_t size)
{
    FvGpuPlan plan;
    if (!fv_gpu_plan(gpu, run, &plan, why, size))
        return false;
    run->wanted_maps &= plan.maps;
    return true;
}

FvTestDevice fv_gpu_test_device(FvGpu *gpu)
{
    return (FvTestDevice){
        .isa = FV_ISA_SCALAR,
        .ops = {.start = fv_gpu_device_start, .submit = fv_gpu_device_submit, .wait = fv_gpu_device_wait},
        .open = open_gpu,
        .close = close_gpu,
        .takes = takes,
        .opaque = gpu};
}

FvTestVerdict fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                             uint64_t seed, int fill, int frames, char *why, size_t size)
{
    const FvTestDevice device = fv_gpu_test_device(gpu);
    return fv_test_compare(&device, feature, options, format, seed, fill, frames, NULL, why, size);
}

double fv_gpu_speed(FvGpu *gpu, const FvFeature *feature)
{
    const FvFormat format = {.width = 1280, .height = 720, .chroma = FV_CHROMA_420, .depth = 10};
    const FvTestDevice device = fv_gpu_test_device(gpu);
    double seconds = 0, cost = 0;
    void *options = fv_alloc_zero(feature->options_size);
    if (!options)
        return 0;
    fv_options_default(options, &feature->options);
    fv_test_time(&device, feature, options, &format, 1, SPEED_SECONDS, &seconds, &cost);
    fv_free(options);
    return seconds > 0 ? cost / seconds : 0;
}
