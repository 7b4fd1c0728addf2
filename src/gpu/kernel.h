/* A compiled kernel, as the build embeds it (kernel/embed.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What Vulkan guarantees for push constants. */
#define FV_KERNEL_ARGS_BYTES 128

typedef struct FvKernel {
    const char *name;
    uint32_t args_bytes;
    uint32_t threads;  /* of one workgroup */
    bool float64;      /* only for devices whose FvGpuInfo says float64 */
    const void *spirv; /* aligned to 16 bytes; NULL when built without Vulkan */
    size_t spirv_bytes;
    const void *cuda; /* fat binary, or PTX with a 0 after it; NULL when built without CUDA */
    size_t cuda_bytes;
} FvKernel;
