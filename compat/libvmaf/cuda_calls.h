/* The calls of NVIDIA's driver that pictures in its memory need, opened at run time from libcuda.so.1. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct CUctx_st *LvCudaContext;
typedef struct CUevent_st *LvCudaEvent;
typedef struct CUstream_st *LvCudaStream;

/* clang-format off */
#define LV_CUDA_CALLS(X)                                                                                             \
    X(init, "cuInit", (unsigned flags))                                                                              \
    X(device_count, "cuDeviceGetCount", (int *count))                                                                \
    X(device_get, "cuDeviceGet", (int *device, int index))                                                           \
    X(retain, "cuDevicePrimaryCtxRetain", (LvCudaContext *context, int device))                                      \
    X(release, "cuDevicePrimaryCtxRelease_v2", (int device))                                                         \
    X(push, "cuCtxPushCurrent_v2", (LvCudaContext context))                                                          \
    X(pop, "cuCtxPopCurrent_v2", (LvCudaContext *context))                                                           \
    X(context_device, "cuCtxGetDevice", (int *device))                                                               \
    X(alloc, "cuMemAlloc_v2", (uint64_t *address, size_t bytes))                                                     \
    X(free, "cuMemFree_v2", (uint64_t address))                                                                      \
    X(download, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))                                          \
    X(event_create, "cuEventCreate", (LvCudaEvent *event, unsigned flags))                                           \
    X(event_record, "cuEventRecord", (LvCudaEvent event, LvCudaStream stream))                                       \
    X(event_destroy, "cuEventDestroy_v2", (LvCudaEvent event))
/* clang-format on */

typedef struct LvCudaCalls {
#define LV_CUDA_MEMBER(member, symbol, parameters) int(*member) parameters;
    LV_CUDA_CALLS(LV_CUDA_MEMBER)
#undef LV_CUDA_MEMBER
} LvCudaCalls;

/*
 * Returns the calls of the initialised driver, which stays loaded. NULL: there is no usable driver, and *why is the
 * reason.
 */
const LvCudaCalls *lv_cuda_calls(const char **why);
