#include "times.h"

#include "kernel/host.h"

#include "kernel/copy.h"

enum { LISTS = 11, LAUNCHES = 3, BYTES = 4096 };

extern const FvKernel fv_kernel_copy;

static FvStatus launch_lists(FvGpu *gpu, const FvGpuMemory memory[2], FvError *error)
{
    const FvGpuOps *ops = gpu->ops;
    FvCopyArgs args = {memory[0].address, memory[1].address, BYTES / 16, FV_COPY_THREADS};
    uint64_t ticket = 0;
    FvStatus status = FV_OK;
    for (int list = 0; list < LISTS && !status; list++) {
        status = ops->begin(gpu, FV_GPU_COMPUTE, error);
        for (int i = 0; i < LAUNCHES && !status; i++) {
            ops->launch(gpu, FV_GPU_COMPUTE, &fv_kernel_copy, &args, 1, 1, 1);
            ops->barrier(gpu, FV_GPU_COMPUTE);
        }
        if (!status)
            status = ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    }
    return status ? status : ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

void test_times(Tap *tap, FvGpu *gpu)
{
    FvGpuMemory memory[2] = {{0}, {0}};
    FvError error = {0};
    char name[64], why[128];
    gpu->profile = true;
    gpu->time_count = 0;
    FvStatus status = gpu->ops->alloc(gpu, &memory[0], BYTES, FV_GPU_LOCAL, &error);
    if (!status)
        status = gpu->ops->alloc(gpu, &memory[1], BYTES, FV_GPU_LOCAL, &error);
    if (!status)
        status = launch_lists(gpu, memory, &error);
    unsigned long long launches = gpu->time_count ? gpu->times[0].launches : 0;
    snprintf(why, sizeof why, "%llu of %d launches have a time", launches, LISTS * LAUNCHES);
    snprintf(name, sizeof name, "%s:%d times of kernels", gpu->ops->kind, gpu->index);
    tap_case(tap, !status && launches == LISTS * LAUNCHES, name, status ? error.message : why);
    gpu->ops->free(gpu, &memory[0]);
    gpu->ops->free(gpu, &memory[1]);
    gpu->profile = false;
    gpu->time_count = 0;
}
