/*
 * The interface of a GPU driver: memory, queues, copies, launches, waits, timers. vulkan/ and cuda/, which is HIP's
 * as well, implement this table and know nothing of metrics; gpu/batches.c uses it and knows nothing of drivers.
 *
 * A queue takes lists of commands: begin, record, submit. Lists of one queue run in order; inside a list, commands
 * may overlap except across barrier(). A ticket stands for everything submitted to a queue so far. Recording calls
 * do not fail; submit reports what went wrong since begin. One thread at a time uses a queue, but queues of feeds may
 * be used at the same time as others, and any queue may be made to wait for them by after().
 *
 * Memory that an open or submitted list uses must not be freed. After a submit that failed, nothing of its list is
 * under way; after a wait that failed, nothing of any list. A device that does not answer is the exception: it cannot
 * be stopped, so free() and close() leave it everything that it may still use.
 */
#pragma once

#include "fovea/fovea.h"
#include "gpu/kernel.h"
#include "picture/frame_feed.h"

typedef struct FvGpu FvGpu;

typedef enum FvGpuQueue {
    FV_GPU_COPY, /* host to device, at the same time as computing where the hardware can */
    FV_GPU_COMPUTE,
    FV_GPU_FEED, /* first of the queues of feeds: host to device, one for each thread that reads a video (gpu/feed.h)
                  */
    FV_GPU_QUEUES = FV_GPU_FEED + 2 * FV_FEED_LANES
} FvGpuQueue;

typedef enum FvGpuPlace {
    FV_GPU_LOCAL, /* the device's own memory; host is NULL */
    FV_GPU_HOST,  /* memory of the host, mapped, which the device reads and writes */
} FvGpuPlace;

typedef struct FvGpuMemory {
    uint64_t address; /* address for kernels, a multiple of 256; 0: none */
    uint8_t *host;
    size_t bytes;
    void *lent;         /* `host`, if it is our memory that the driver borrows (gpu/pages.h) */
    uint64_t handle[2]; /* the driver's */
} FvGpuMemory;

typedef struct FvGpuInfo {
    char title[256];
    char driver[256];
    char limits[256];
    char lacks[256]; /* "" when usable */
    uint64_t memory; /* bytes */
    bool software;   /* runs on the CPU; "auto" never chooses it */
    bool float64;    /* computes with doubles */
    bool feeds;      /* uploads slices from many threads faster than complete frames from one (gpu/feed.h) */
} FvGpuInfo;

/* Limits for kernels. */
#define FV_GPU_MAX_THREADS 384  /* maximum number of threads of a workgroup */
#define FV_GPU_MAX_SHARED 32768 /* bytes of a workgroup */

/* Time spent in one kernel since profiling was switched on. */
typedef struct FvGpuTime {
    const char *name;
    uint64_t launches;
    double seconds;
} FvGpuTime;

#define FV_GPU_MAX_KERNELS 160

typedef struct FvGpuOps {
    const char *kind; /* "vulkan", "cuda", "hip" */

    /*
     * Describes device `index`; false after the last one. Without any driver, index 0 yields false and
     * `absent` says why.
     */
    bool (*describe)(int index, FvGpuInfo *info, char *absent, size_t size);
    FvStatus (*open)(FvGpu **gpu, int index, FvError *error);
    /*
     * Opens the driver in the caller's context, which stays open; index -1: on the context's device. NULL: the driver
     * has no contexts.
     */
    FvStatus (*open_in)(FvGpu **gpu, void *context, int index, FvError *error);
    void (*close)(FvGpu **gpu);

    /* Returns the bytes of device memory that can be allocated now, as the driver reports. */
    uint64_t (*available)(FvGpu *gpu);
    /* FV_ERROR_DEVICE without room; *memory is then zeroed. free() accepts that. Both from any thread. */
    FvStatus (*alloc)(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error);
    void (*free)(FvGpu *gpu, FvGpuMemory *memory);
    /*
     * Compiles kernels with this many threads; otherwise `launch` does it. After a failure, the kernels that could be
     * compiled are available.
     */
    FvStatus (*load)(FvGpu *gpu, const FvKernel *const *kernels, int count, int threads, FvError *error);

    FvStatus (*begin)(FvGpu *gpu, FvGpuQueue queue, FvError *error);
    /* The list waits for a ticket of another queue. */
    void (*after)(FvGpu *gpu, FvGpuQueue queue, FvGpuQueue other, uint64_t ticket);
    /* ... and for work of the caller's own: a VkSemaphore (timeline) reaching `value`, or a CUevent. */
    void (*after_foreign)(FvGpu *gpu, FvGpuQueue queue, void *sync, uint64_t value);
    void (*copy)(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t to_offset, const FvGpuMemory *from,
                 size_t from_offset, size_t bytes);
    /* Offset and bytes are multiples of 4. */
    void (*fill)(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t offset, size_t bytes, uint32_t word);
    void (*launch)(FvGpu *gpu, FvGpuQueue queue, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y,
                   uint32_t z);
    void (*barrier)(FvGpu *gpu, FvGpuQueue queue);
    FvStatus (*submit)(FvGpu *gpu, FvGpuQueue queue, uint64_t *ticket, FvError *error);
    /* FV_ERROR_DEVICE when the device is lost or does not answer within FV_GPU_PATIENCE seconds. */
    FvStatus (*wait)(FvGpu *gpu, FvGpuQueue queue, uint64_t ticket, FvError *error);

    /* The driver's own objects. */
    void (*handles)(const FvGpu *gpu, FvDeviceHandles *handles);
} FvGpuOps;

#define FV_GPU_PATIENCE 120

/* Every driver's struct starts with this. */
struct FvGpu {
    const FvGpuOps *ops;
    FvGpuInfo info;
    int index;
    bool profile; /* set by the caller before begin(): launches are timed, which keeps them from overlapping */
    FvGpuTime times[FV_GPU_MAX_KERNELS];
    int time_count;
};

extern const FvGpuOps fv_gpu_vulkan, fv_gpu_cuda, fv_gpu_hip;

/* Adds to gpu->times, for drivers. */
void fv_gpu_add_time(FvGpu *gpu, const FvKernel *kernel, double seconds);

/* Ends a queue's work, whatever the result: an open list, if any, and everything that the ticket stands for. */
void fv_gpu_settle(FvGpu *gpu, FvGpuQueue queue, bool open, uint64_t ticket);
