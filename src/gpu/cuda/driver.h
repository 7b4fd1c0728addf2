/*
 * The part of the CUDA driver interface that fovea calls, opened at run time from libcuda.so.1. Names, numbers and
 * signatures are NVIDIA's documented driver API; the toolkit's headers are not needed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef int CuResult;
typedef int CuDevice;
typedef uint64_t CuPointer;
typedef struct CUctx_st *CuContext;
typedef struct CUmod_st *CuModule;
typedef struct CUfunc_st *CuFunction;
typedef struct CUstream_st *CuStream;
typedef struct CUevent_st *CuEvent;

enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_NO_DEVICE = 100,
    CU_NO_BINARY = 209,
    CU_NOT_READY = 600,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_HOST_PORTABLE_MAPPED = 3,
    CU_ATTRIBUTE_THREADS = 1,
    CU_ATTRIBUTE_SHARED = 8,
    CU_ATTRIBUTE_WARP = 10,
    CU_ATTRIBUTE_MULTIPROCESSORS = 16,
    CU_ATTRIBUTE_MAJOR = 75,
    CU_ATTRIBUTE_MINOR = 76,
};

/* clang-format off */
#define FV_CUDA_FUNCTIONS(X)                                                                                       \
    X(cuInit, "cuInit", (unsigned flags))                                                                          \
    X(cuDriverGetVersion, "cuDriverGetVersion", (int *version))                                                    \
    X(cuGetErrorString, "cuGetErrorString", (CuResult result, const char **text))                                  \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                                          \
    X(cuDeviceGet, "cuDeviceGet", (CuDevice *device, int index))                                                   \
    X(cuDeviceGetName, "cuDeviceGetName", (char *name, int size, CuDevice device))                                 \
    X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *bytes, CuDevice device))                                   \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, CuDevice device))                  \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CuContext *context, CuDevice device))                 \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CuDevice device))                                \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CuContext context))                                                \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CuContext *context))                                                 \
    X(cuCtxGetDevice, "cuCtxGetDevice", (CuDevice *device))                                                        \
    X(cuCtxSynchronize, "cuCtxSynchronize", (void))                                                                \
    X(cuMemGetInfo, "cuMemGetInfo_v2", (size_t *free, size_t *total))                                              \
    X(cuMemAlloc, "cuMemAlloc_v2", (CuPointer *pointer, size_t bytes))                                             \
    X(cuMemFree, "cuMemFree_v2", (CuPointer pointer))                                                              \
    X(cuMemHostAlloc, "cuMemHostAlloc", (void **host, size_t bytes, unsigned flags))                               \
    X(cuMemFreeHost, "cuMemFreeHost", (void *host))                                                                \
    X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", (CuPointer *pointer, void *host, unsigned flags)) \
    X(cuMemHostRegister, "cuMemHostRegister_v2", (void *host, size_t bytes, unsigned flags))                       \
    X(cuMemHostUnregister, "cuMemHostUnregister", (void *host))                                                    \
    X(cuMemcpyAsync, "cuMemcpyAsync", (CuPointer to, CuPointer from, size_t bytes, CuStream stream))               \
    X(cuMemsetD32Async, "cuMemsetD32Async", (CuPointer to, unsigned word, size_t count, CuStream stream))          \
    X(cuModuleLoadData, "cuModuleLoadData", (CuModule *module, const void *image))                                 \
    X(cuModuleUnload, "cuModuleUnload", (CuModule module))                                                         \
    X(cuModuleGetFunction, "cuModuleGetFunction", (CuFunction *function, CuModule module, const char *name))       \
    X(cuLaunchKernel, "cuLaunchKernel",                                                                            \
      (CuFunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,          \
       unsigned shared, CuStream stream, void **parameters, void **extra))                                         \
    X(cuStreamCreate, "cuStreamCreate", (CuStream *stream, unsigned flags))                                        \
    X(cuStreamDestroy, "cuStreamDestroy_v2", (CuStream stream))                                                    \
    X(cuStreamWaitEvent, "cuStreamWaitEvent", (CuStream stream, CuEvent event, unsigned flags))                    \
    X(cuEventCreate, "cuEventCreate", (CuEvent *event, unsigned flags))                                            \
    X(cuEventDestroy, "cuEventDestroy_v2", (CuEvent event))                                                        \
    X(cuEventRecord, "cuEventRecord", (CuEvent event, CuStream stream))                                            \
    X(cuEventQuery, "cuEventQuery", (CuEvent event))                                                               \
    X(cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CuEvent first, CuEvent last))

typedef struct CudaDriver {
#define FV_CUDA_MEMBER(member, symbol, parameters) CuResult (*member) parameters;
    FV_CUDA_FUNCTIONS(FV_CUDA_MEMBER)
#undef FV_CUDA_MEMBER
    /* clang-format on */
} CudaDriver;

/* The driver, initialised; NULL and a reason when there is none. Stays loaded. */
const CudaDriver *fv_cuda_driver(char *absent, size_t size);
