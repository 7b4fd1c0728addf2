/*
 * The part of the CUDA driver API that fovea calls, loaded at run time from libcuda.so.1. Names, numbers and
 * signatures are NVIDIA's documented driver API; the toolkit's headers are not needed. AMD's HIP has the same
 * functions and numbers under its own names in libamdhip64.so; hip.c replaces those that differ.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"
#include "os/thread.h"

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
    X(cuInit, "cuInit", "hipInit", (unsigned flags))                                                               \
    X(cuDriverGetVersion, "cuDriverGetVersion", "hipDriverGetVersion", (int *version))                             \
    X(cuGetErrorString, "cuGetErrorString", NULL, (CuResult result, const char **text))                            \
    X(cuDeviceGetCount, "cuDeviceGetCount", "hipGetDeviceCount", (int *count))                                     \
    X(cuDeviceGet, "cuDeviceGet", "hipDeviceGet", (CuDevice *device, int index))                                   \
    X(cuDeviceGetName, "cuDeviceGetName", "hipDeviceGetName", (char *name, int size, CuDevice device))             \
    X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", (size_t *bytes, CuDevice device))              \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute",                                       \
      (int *value, int attribute, CuDevice device))                                                                \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", NULL, (CuContext *context, CuDevice device))           \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", NULL, (CuDevice device))                          \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", NULL, (CuContext context))                                          \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", NULL, (CuContext *context))                                           \
    X(cuCtxGetDevice, "cuCtxGetDevice", "hipGetDevice", (CuDevice *device))                                        \
    X(cuCtxSynchronize, "cuCtxSynchronize", "hipDeviceSynchronize", (void))                                        \
    X(cuMemGetInfo, "cuMemGetInfo_v2", "hipMemGetInfo", (size_t *free, size_t *total))                             \
    X(cuMemAlloc, "cuMemAlloc_v2", "hipMalloc", (CuPointer *pointer, size_t bytes))                                \
    X(cuMemFree, "cuMemFree_v2", "hipFree", (CuPointer pointer))                                                   \
    X(cuMemHostAlloc, "cuMemHostAlloc", "hipHostMalloc", (void **host, size_t bytes, unsigned flags))              \
    X(cuMemFreeHost, "cuMemFreeHost", "hipHostFree", (void *host))                                                 \
    X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", "hipHostGetDevicePointer",                        \
      (CuPointer *pointer, void *host, unsigned flags))                                                            \
    X(cuMemHostRegister, "cuMemHostRegister_v2", "hipHostRegister", (void *host, size_t bytes, unsigned flags))    \
    X(cuMemHostUnregister, "cuMemHostUnregister", "hipHostUnregister", (void *host))                               \
    X(cuMemcpyAsync, "cuMemcpyAsync", NULL, (CuPointer to, CuPointer from, size_t bytes, CuStream stream))         \
    X(cuMemsetD32Async, "cuMemsetD32Async", "hipMemsetD32Async",                                                   \
      (CuPointer to, unsigned word, size_t count, CuStream stream))                                                \
    X(cuModuleLoadData, "cuModuleLoadData", "hipModuleLoadData", (CuModule *module, const void *image))            \
    X(cuModuleUnload, "cuModuleUnload", "hipModuleUnload", (CuModule module))                                      \
    X(cuModuleGetFunction, "cuModuleGetFunction", "hipModuleGetFunction",                                          \
      (CuFunction *function, CuModule module, const char *name))                                                   \
    X(cuLaunchKernel, "cuLaunchKernel", "hipModuleLaunchKernel",                                                   \
      (CuFunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,          \
       unsigned shared, CuStream stream, void **parameters, void **extra))                                         \
    X(cuStreamCreate, "cuStreamCreate", "hipStreamCreateWithFlags", (CuStream *stream, unsigned flags))            \
    X(cuStreamDestroy, "cuStreamDestroy_v2", "hipStreamDestroy", (CuStream stream))                                \
    X(cuStreamWaitEvent, "cuStreamWaitEvent", "hipStreamWaitEvent",                                                \
      (CuStream stream, CuEvent event, unsigned flags))                                                            \
    X(cuEventCreate, "cuEventCreate", "hipEventCreateWithFlags", (CuEvent *event, unsigned flags))                 \
    X(cuEventDestroy, "cuEventDestroy_v2", "hipEventDestroy", (CuEvent event))                                     \
    X(cuEventRecord, "cuEventRecord", "hipEventRecord", (CuEvent event, CuStream stream))                          \
    X(cuEventQuery, "cuEventQuery", "hipEventQuery", (CuEvent event))                                              \
    X(cuEventElapsedTime, "cuEventElapsedTime", "hipEventElapsedTime",                                             \
      (float *milliseconds, CuEvent first, CuEvent last))

typedef struct CudaDriver {
#define FV_CUDA_MEMBER(member, cuda, hip, parameters) CuResult (*member) parameters;
    FV_CUDA_FUNCTIONS(FV_CUDA_MEMBER)
#undef FV_CUDA_MEMBER
    /* clang-format on */
} CudaDriver;

/* A vendor's driver library. fv_cuda_driver() loads it once, and it stays loaded. */
typedef struct CudaLibrary {
    FvOnce once;
    void (*load)(void); /* sets `usable` and fills `functions`, or writes `reason` */
    bool usable;
    char reason[256];
    CudaDriver functions;
} CudaLibrary;

/* A vendor, NVIDIA or AMD: everything that differs between the two besides the functions. */
typedef struct CudaVendor {
    const char *name;   /* name of the interface, "CUDA" */
    const char *driver; /* the driver's name for messages, "NVIDIA's driver" */
    bool contexts;      /* a caller may pass a context, or work in fovea's context */
    CudaLibrary *library;
    int pci[3]; /* attributes of a device: PCI domain, bus and device */
    void (*describe)(const CudaDriver *cu, CuDevice device, FvGpuInfo *info);
    /*
     * Loads the module of a kernel. CU_NO_BINARY: this build has no code of the kernel for the device. *image must be
     * NULL before; free it with fv_free() after unloading the module.
     */
    CuResult (*load)(const CudaDriver *cu, CuModule *module, void **image, const FvKernel *kernel);
} CudaVendor;

extern const CudaVendor fv_cuda_nvidia, fv_cuda_amd;

/* Returns a vendor's functions, which stay loaded; NULL and a reason in `absent`, unless NULL, if there are none. */
const CudaDriver *fv_cuda_driver(const CudaVendor *vendor, char *absent, size_t size);
