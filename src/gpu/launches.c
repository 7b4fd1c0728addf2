#include "gpu/launches.h"

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
