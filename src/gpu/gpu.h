/*
 * The interface of a GPU driver: memory, queues, copies, launches, waits, timers. vulkan/ and cuda/ (which also
 * serves HIP) implement this table and do not depend on metrics; gpu/batches.c uses the table and does not depend on
 * drivers.
 *
 * A queue runs lists of commands: begin, record, submit. The lists of one queue run in order. Inside a list, commands
 * may overlap except across barrier(). A ticket stands for everything submitted to a queue so far. Calls that record
 * do not fail; submit reports the first error since begin. Only one thread at a time may use a queue, but the queues
 * of feeds may be used at the same time as the others, and after() makes any queue wait for them.
 *
 * Memory that an open or submitted list uses must not be freed. After a failed submit, nothing of its list runs;
 * after a failed wait, nothing of any list runs. A device that does not answer is the exception: it cannot be
 * stopped, so free() and close() do not release anything that it may still use.
 */
#pragma once

#include "fovea/fovea.h"
#include "gpu/kernel.h"
#include "picture/frame_feed.h"

typedef struct FvGpu FvGpu;

typedef enum FvGpuQueue {
    FV_GPU_COPY, /* host to device, in parallel with computing if the hardware can */
    FV_GPU_COMPUTE,
    FV_GPU_FEED, /* the first of the feeds' queues: host to device, one queue for each thread that reads a video
                    (gpu/feed.h) */
    FV_GPU_QUEUES = FV_GPU_FEED + 2 * FV_FEED_LANES
} FvGpuQueue;

typedef enum FvGpuPlace {
    FV_GPU_LOCAL, /* device memory; host is NULL */
    FV_GPU_HOST,  /* host memory, mapped, which the device reads and writes */
} FvGpuPlace;

typedef struct FvGpuMemory {
    uint64_t address; /* address for kernels, a multiple of 256; 0: none */
    uint8_t *host;
    size_t bytes;
    void *imported;     /* equals `host` if fovea allocated it and the driver imported it (gpu/pages.h); else NULL */
    uint64_t handle[2]; /* the driver's handles */
} FvGpuMemory;

#define FV_GPU_BUS(domain, bus, device) ((uint64_t)(domain) << 16 | (uint64_t)(bus) << 8 | (uint64_t)(device))

typedef struct FvGpuInfo {
    char title[256];
    char driver[256];
    char limits[256];
    char lacks[256]; /* what the device lacks for fovea; "": nothing */
    uint64_t memory; /* bytes of device memory */
    uint64_t bus;    /* PCI address, by FV_GPU_BUS; 0: unknown */
    bool software;   /* the device runs on the CPU; "auto" never chooses it */
    bool float64;    /* the device computes with doubles */
    /* The device uploads slices from many threads faster than complete frames from one thread (gpu/feed.h) */
    bool feeds;
} FvGpuInfo;

/* Limits that no kernel exceeds. */
#define FV_GPU_MAX_THREADS 384  /* threads per workgroup */
#define FV_GPU_MAX_SHARED 32768 /* bytes of shared memory per workgroup */

/* The time spent in one kernel since profiling was switched on. */
typedef struct FvGpuTime {
    const char *name;
    uint64_t launches;
    double seconds;
} FvGpuTime;

#define FV_GPU_MAX_KERNELS 160 /* maximum number of kernels that a session may load or time */

typedef struct FvGpuOps {
    const char *kind; /* name of the driver's kind: "vulkan", "cuda", "hip" */

    /*
     * Describes device `index`; returns false after the last one. Without a driver, returns false for index 0 and
     * writes the reason to `absent`.
     */
    bool (*describe)(int index, FvGpuInfo *info, char *absent, size_t size);
    FvStatus (*open)(FvGpu **gpu, int index, FvError *error);
    /*
     * Opens the driver in the caller's context, which stays open. index -1: use the context's device. NULL: the
     * driver has no contexts.
     */
    FvStatus (*open_in)(FvGpu **gpu, void *context, int index, FvError *error);
    void (*close)(FvGpu **gpu);

    /* Returns the bytes of device memory that can be allocated now, according to the driver. */
    uint64_t (*available)(FvGpu *gpu);
    /*
     * Allocates memory. FV_ERROR_DEVICE: memory ran out; *memory is then zero, which free() accepts. Any thread may
     * call alloc() and free().
     */
    FvStatus (*alloc)(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error);
    void (*free)(FvGpu *gpu, FvGpuMemory *memory);
    /*
     * Compiles kernels, with this number of threads. `launch` compiles kernels that are not loaded. After a failure,
     * all kernels that could be compiled are available.
     */
    FvStatus (*load)(FvGpu *gpu, const FvKernel *const *kernels, int count, int threads, FvError *error);

    FvStatus (*begin)(FvGpu *gpu, FvGpuQueue queue, FvError *error);
    /* Makes the open list wait for a ticket of another queue. */
    void (*after)(FvGpu *gpu, FvGpuQueue queue, FvGpuQueue other, uint64_t ticket);
    /* Makes the open list wait for the caller's own work: a VkSemaphore (timeline) reaching `value`, or a CUevent. */
    void (*after_foreign)(FvGpu *gpu, FvGpuQueue queue, void *sync, uint64_t value);
    void (*copy)(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t to_offset, const FvGpuMemory *from,
                 size_t from_offset, size_t bytes);
    /* Fills memory with a 32-bit word. `offset` and `bytes` must be multiples of 4. */
    void (*fill)(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t offset, size_t bytes, uint32_t word);
    void (*launch)(FvGpu *gpu, FvGpuQueue queue, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y,
                   uint32_t z);
    void (*barrier)(FvGpu *gpu, FvGpuQueue queue);
    FvStatus (*submit)(FvGpu *gpu, FvGpuQueue queue, uint64_t *ticket, FvError *error);
    /* Waits for a ticket. FV_ERROR_DEVICE: the device is lost, or did not answer within FV_GPU_PATIENCE seconds. */
    FvStatus (*wait)(FvGpu *gpu, FvGpuQueue queue, uint64_t ticket, FvError *error);

    /* Returns the objects of the driver's API, such as its device and queue. */
    void (*handles)(const FvGpu *gpu, FvDeviceHandles *handles);
} FvGpuOps;

#define FV_GPU_PATIENCE 120 /* seconds after which a device counts as silent */

/* Every driver's struct starts with these members. */
struct FvGpu {
    const FvGpuOps *ops;
    FvGpuInfo info;
    int index;
    bool profile; /* the caller sets it before begin(): launches are timed, and therefore do not overlap */
    FvGpuTime times[FV_GPU_MAX_KERNELS];
    int time_count;
};

extern const FvGpuOps fv_gpu_vulkan, fv_gpu_cuda, fv_gpu_hip;

/* Adds a launch's time to gpu->times; called by drivers. */
void fv_gpu_add_time(FvGpu *gpu, const FvKernel *kernel, double seconds);

/* Submits the queue's list if `open`, and waits for it, or else for `ticket`. Ignores errors. */
void fv_gpu_settle(FvGpu *gpu, FvGpuQueue queue, bool open, uint64_t ticket);
