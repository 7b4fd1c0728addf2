#include "gpu/launches.h"

#include <stdio.h>

#include "picture/region.h"

bool fv_gpu_plan(const FvGpu *gpu, const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvGpuFeature *feature = run->feature->gpu;
    *plan = (FvGpuPlan){.float64 = gpu->info.float64};
    if (!feature)
        snprintf(why, size, "it has no kernels for GPUs");
    else if (fv_region_given(fv_region_among(run->options, &run->feature->options)))
        snprintf(why, size, "it has no kernels that weight a region (roi)");
    else if (feature->float64 && !plan->float64)
        snprintf(why, size, "the device has no float64");
    else if (!feature->plan(run, plan, why, size))
        return false;
    else if (!feature->most_work || plan->work_bytes <= feature->most_work)
        return true;
    else
        snprintf(why, size, "pictures of %dx%d are too large for its kernels", run->dis.width, run->dis.height);
    return false;
}

void fv_gpu_launch(const FvGpuBatch *batch, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y)
{
    if (x && y)
        batch->gpu->ops->launch(batch->gpu, FV_GPU_COMPUTE, kernel, args, x, y, (uint32_t)batch->count);
}

void fv_gpu_barrier(const FvGpuBatch *batch)
{
    batch->gpu->ops->barrier(batch->gpu, FV_GPU_COMPUTE);
}

void fv_gpu_fill(const FvGpuBatch *batch, uint64_t address, size_t bytes, uint32_t word)
{
    for (int i = 0; i < 3; i++) {
        const FvGpuMemory *memory = batch->memory[i];
        if (address >= memory->address && address - memory->address < memory->bytes)
            batch->gpu->ops->fill(batch->gpu, FV_GPU_COMPUTE, memory, address - memory->address, bytes, word);
    }
}
