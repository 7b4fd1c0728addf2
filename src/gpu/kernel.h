/* A compiled kernel, which the build embeds (kernel/embed.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of push constants that every Vulkan device has. */
#define FV_KERNEL_ARGS_BYTES 128

typedef struct FvKernel {
    const char *name;
    uint32_t args_bytes;
    uint32_t threads;  /* threads per workgroup */
    bool float64;      /* only for devices that compute with doubles (FvGpuInfo.float64) */
    const void *spirv; /* aligned to 16 bytes; NULL when built without Vulkan */
    size_t spirv_bytes;
    const void *cuda; /* fat binary, or PTX with a 0 after it; NULL when built without CUDA */
    size_t cuda_bytes;
    /* A bundle of code objects as an LZ4 block, which unpacks to hip_size bytes; NULL when built without HIP. */
    const void *hip;
    size_t hip_bytes, hip_size;
} FvKernel;
