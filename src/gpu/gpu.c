/* The common part of all GPU drivers. */
#include "gpu/gpu.h"

void fv_gpu_add_time(FvGpu *gpu, const FvKernel *kernel, double seconds)
{
    int i = 0;
    while (i < gpu->time_count && gpu->times[i].name != kernel->name)
        i++;
    if (i == FV_GPU_MAX_KERNELS)
        return;
    if (i == gpu->time_count)
        gpu->times[gpu->time_count++] = (FvGpuTime){.name = kernel->name};
    gpu->times[i].launches++;
    gpu->times[i].seconds += seconds;
}

void fv_gpu_settle(FvGpu *gpu, FvGpuQueue queue, bool open, uint64_t ticket)
{
    FvError ignored;
    if (open)
        gpu->ops->submit(gpu, queue, &ticket, &ignored);
    gpu->ops->wait(gpu, queue, ticket, &ignored);
}
