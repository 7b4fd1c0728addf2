/* The GPU driver for CUDA and HIP: streams are the queues, and a ring of events per stream implements tickets. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "config.h"
#include "gpu/cuda/driver.h"
#include "gpu/gpu.h"
#include "gpu/pages.h"
#include "os/memory.h"
#include "os/thread.h"

#define TICKETS 64 /* events per queue; a wait for an older ticket waits for the oldest event instead */
#define TIMED 256  /* maximum number of launches timed between two submits */

typedef struct Timing {
    const FvKernel *kernel;
    CuEvent first, last;
} Timing;

typedef struct Stream {
    CuStream stream;            /* the queue's stream; NULL before the first use */
    CuEvent event[TICKETS];     /* the event of ticket t is event[t % TICKETS]; NULL before the first use */
    _Atomic uint64_t submitted; /* last submitted ticket; other threads read it */
    uint64_t finished;
    CuResult broken; /* first error since begin(); CU_SUCCESS: none */
    const char *broken_what;
} Stream;

typedef struct CudaGpu {
    FvGpu gpu;
    const CudaVendor *vendor;
    const CudaDriver *cu;
    CuDevice device;
    CuContext context;
    bool foreign;       /* the context belongs to the caller */
    atomic_bool lost;   /* the device failed: all further work fails, but its memory can be released */
    atomic_bool silent; /* the device did not answer, so it may still use its memory */
    Stream queues[FV_GPU_QUEUES];
    struct {
        const FvKernel *kernel;
        CuModule module;
        CuFunction function;
        void *image; /* code object in the vendor's format, kept while the module is loaded */
    } kernels[FV_GPU_MAX_KERNELS];
    int kernel_count;
    Timing timings[TIMED];
    int timing_count;
} CudaGpu;

static const char *text_of(const CudaDriver *cu, CuResult result)
{
    const char *text = NULL;
    cu->cuGetErrorString(result, &text);
    return text ? text : "unknown error";
}

static FvStatus fail_call(CudaGpu *cuda, const char *what, CuResult result, FvError *error)
{
    if (result != CU_OUT_OF_MEMORY && result != CU_NO_BINARY)
        cuda->lost = true;
    return fv_fail(error, FV_ERROR_DEVICE, "%s:%d (%s) failed in %s: %s", cuda->gpu.ops->kind, cuda->gpu.index,
                   cuda->gpu.info.title, what, text_of(cuda->cu, result));
}

/* Makes the driver's context current. leave() restores the caller's context, if there was one. */
static void enter(CudaGpu *cuda)
{
    cuda->cu->cuCtxPushCurrent(cuda->context);
}

static void leave(CudaGpu *cuda)
{
    CuContext context;
    cuda->cu->cuCtxPopCurrent(&context);
}

static bool describe_gpu(const CudaVendor *vendor, int index, FvGpuInfo *info, char *absent, size_t size)
{
    const CudaDriver *cu = fv_cuda_driver(vendor, absent, size);
    int count = 0, pci[3] = {0, 0, 0};
    CuDevice device;
    if (!cu)
        return false;
    if (cu->cuDeviceGetCount(&count) || index >= count || cu->cuDeviceGet(&device, index)) {
        snprintf(absent, size, "%s finds no GPU", vendor->driver);
        return false;
    }
    vendor->describe(cu, device, info);
    bool known = true;
    for (int i = 0; i < 3; i++)
        known &= !cu->cuDeviceGetAttribute(&pci[i], vendor->pci[i], device);
    info->bus = known ? FV_GPU_BUS(pci[0], pci[1], pci[2]) : 0;
    return true;
}

static void close_gpu(FvGpu **gpu)
{
    CudaGpu *cuda = (CudaGpu *)*gpu;
    *gpu = NULL;
    if (!cuda)
        return;
    /* A device that does not answer never becomes idle; the end of the process frees its objects. */
    if (cuda->context && !cuda->silent) {
        const CudaDriver *cu = cuda->cu;
        enter(cuda);
        cu->cuCtxSynchronize();
        for (int i = 0; i < cuda->kernel_count; i++) {
            cu->cuModuleUnload(cuda->kernels[i].module);
            fv_free(cuda->kernels[i].image);
        }
        for (int i = 0; i < TIMED; i++)
            for (int k = 0; k < 2; k++) {
                CuEvent event = k ? cuda->timings[i].last : cuda->timings[i].first;
                if (event)
                    cu->cuEventDestroy(event);
            }
        for (int q = 0; q < FV_GPU_QUEUES; q++) {
            for (int i = 0; i < TICKETS; i++)
                if (cuda->queues[q].event[i])
                    cu->cuEventDestroy(cuda->queues[q].event[i]);
            if (cuda->queues[q].stream)
                cu->cuStreamDestroy(cuda->queues[q].stream);
        }
        leave(cuda);
        if (!cuda->foreign)
            cu->cuDevicePrimaryCtxRelease(cuda->device);
    }
    free(cuda);
}

static FvStatus find_driver(const CudaVendor *vendor, const CudaDriver **cu, FvError *error)
{
    char absent[256];
    *cu = fv_cuda_driver(vendor, absent, sizeof absent);
    return *cu ? FV_OK : fv_fail(error, FV_FAIL_NO_DEVICE, "%s cannot be used: %s", vendor->name, absent);
}

static FvStatus open_context(FvGpu **gpu, const FvGpuOps *ops, const CudaVendor *vendor, CuContext foreign, int index,
                             FvError *error)
{
    const CudaDriver *cu;
    FvStatus status = find_driver(vendor, &cu, error);
    if (status)
        return status;
    int count = 0;
    CudaGpu *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return fv_fail_memory(error, sizeof *cuda);
    cuda->gpu.ops = ops;
    cuda->gpu.index = index;
    cuda->vendor = vendor;
    cuda->cu = cu;
    cuda->foreign = foreign != NULL;
    *gpu = &cuda->gpu;
    bool there = !cu->cuDeviceGetCount(&count) && index < count && !cu->cuDeviceGet(&cuda->device, index);
    if (there)
        vendor->describe(cu, cuda->device, &cuda->gpu.info);
    if (!there) {
        status = fv_fail(error, FV_FAIL_NO_DEVICE, "there is no device %s:%d; 'fovea devices' lists the devices",
                         ops->kind, index);
    } else if (*cuda->gpu.info.lacks) {
        status = fv_fail(error, FV_ERROR_DEVICE, "%s:%d (%s) lacks %s", ops->kind, index, cuda->gpu.info.title,
                         cuda->gpu.info.lacks);
    } else {
        cuda->context = foreign;
        CuResult result = foreign ? CU_SUCCESS : cu->cuDevicePrimaryCtxRetain(&cuda->context, cuda->device);
        if (!result) {
            enter(cuda);
            result = cu->cuStreamCreate(&cuda->queues[FV_GPU_COMPUTE].stream, CU_STREAM_NON_BLOCKING);
            leave(cuda);
        }
        if (result)
            status = fv_fail(error, FV_ERROR_DEVICE, "%s:%d (%s) cannot be opened: %s", ops->kind, index,
                             cuda->gpu.info.title, text_of(cu, result));
    }
    if (status)
        close_gpu(gpu);
    return status;
}

static uint64_t available(FvGpu *gpu)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    size_t room = 0, total;
    enter(cuda);
    cuda->cu->cuMemGetInfo(&room, &total);
    leave(cuda);
    return room;
}

/*
 * Allocates host memory. Several threads touch the pages of large blocks first; the driver's own allocation uses one.
 */
static CuResult alloc_host(const CudaDriver *cu, FvGpuMemory *memory, size_t room)
{
    void *pages = room < FV_PAGES_LEAST ? NULL : fv_pages_alloc(room);
    if (pages && !cu->cuMemHostRegister(pages, room, CU_HOST_PORTABLE_MAPPED)) {
        memory->host = memory->imported = pages;
    } else {
        fv_free(pages);
        CuResult result = cu->cuMemHostAlloc((void **)&memory->host, room, CU_HOST_PORTABLE_MAPPED);
        if (result)
            return result;
    }
    return cu->cuMemHostGetDevicePointer(&memory->address, memory->host, 0);
}

static void free_memory(FvGpu *gpu, FvGpuMemory *memory)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    if (!cuda->silent && (memory->host || memory->address)) {
        enter(cuda);
        if (memory->imported)
            cuda->cu->cuMemHostUnregister(memory->imported);
        else if (memory->host)
            cuda->cu->cuMemFreeHost(memory->host);
        else
            cuda->cu->cuMemFree(memory->address);
        leave(cuda);
        fv_free(memory->imported);
    }
    *memory = (FvGpuMemory){0};
}

static FvStatus alloc_memory(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    const CudaDriver *cu = cuda->cu;
    *memory = (FvGpuMemory){.bytes = bytes};
    size_t room = (bytes + 255) / 256 * 256;
    enter(cuda);
    CuResult result = place == FV_GPU_LOCAL ? cu->cuMemAlloc(&memory->address, room) : alloc_host(cu, memory, room);
    leave(cuda);
    if (!result)
        return FV_OK;
    free_memory(gpu, memory);
    if (result != CU_OUT_OF_MEMORY)
        return fail_call(cuda, "allocating memory", result, error);
    return fv_fail(error, FV_FAIL_DEVICE_MEMORY, "%s:%d (%s) has no room for %zu bytes: %s", gpu->ops->kind,
                   gpu->index, gpu->info.title, bytes, text_of(cu, result));
}

static CuResult find_function(CudaGpu *cuda, const FvKernel *kernel, CuFunction *function)
{
    for (int i = 0; i < cuda->kernel_count; i++)
        if (cuda->kernels[i].kernel == kernel) {
            *function = cuda->kernels[i].function;
            return CU_SUCCESS;
        }
    if (cuda->kernel_count == FV_GPU_MAX_KERNELS)
        return CU_NO_BINARY;
    char symbol[128];
    snprintf(symbol, sizeof symbol, "fv_%s", kernel->name);
    CuModule module = NULL;
    void *image = NULL;
    CuResult result = cuda->vendor->load(cuda->cu, &module, &image, kernel);
    if (!result)
        result = cuda->cu->cuModuleGetFunction(function, module, symbol);
    if (result) {
        if (module)
            cuda->cu->cuModuleUnload(module);
        fv_free(image);
        return result;
    }
    cuda->kernels[cuda->kernel_count].kernel = kernel;
    cuda->kernels[cuda->kernel_count].module = module;
    cuda->kernels[cuda->kernel_count].image = image;
    cuda->kernels[cuda->kernel_count++].function = *function;
    return CU_SUCCESS;
}

static FvStatus load(FvGpu *gpu, const FvKernel *const *kernels, int count, int threads, FvError *error)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    FvStatus status = FV_OK;
    enter(cuda);
    for (int i = 0; i < count; i++) {
        CuFunction function;
        CuResult result = find_function(cuda, kernels[i], &function);
        if (result && !status)
            status = fail_call(cuda, kernels[i]->name, result, error);
    }
    leave(cuda);
    return status;
}

/*
 * Records the stream's first error. Commands run as they are recorded, and after a failed one no other is recorded,
 * because it would read data that does not exist.
 */
static void note(Stream *stream, CuResult result, const char *what)
{
    stream->broken = result;
    stream->broken_what = what;
}

static FvStatus fail_again(const CudaGpu *cuda, FvError *error)
{
    return fv_fail(error, FV_ERROR_DEVICE, "%s:%d (%s) was lost earlier", cuda->gpu.ops->kind, cuda->gpu.index,
                   cuda->gpu.info.title);
}

static FvStatus begin(FvGpu *gpu, FvGpuQueue which, FvError *error)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    stream->broken = CU_SUCCESS;
    if (cuda->lost)
        return fail_again(cuda, error);
    if (stream->stream)
        return FV_OK;
    enter(cuda);
    CuResult result = cuda->cu->cuStreamCreate(&stream->stream, CU_STREAM_NON_BLOCKING);
    leave(cuda);
    return result ? fail_call(cuda, "opening a queue", result, error) : FV_OK;
}

static void after_foreign(FvGpu *gpu, FvGpuQueue which, void *sync, uint64_t value)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    if (stream->broken)
        return;
    enter(cuda);
    note(stream, cuda->cu->cuStreamWaitEvent(stream->stream, sync, 0), "waiting for an event");
    leave(cuda);
}

/* Returns the event of a ticket, or of a later ticket if the event has been reused. */
static CuEvent event_of(const Stream *stream, uint64_t ticket)
{
    uint64_t oldest = stream->submitted >= TICKETS ? stream->submitted - TICKETS + 1 : 1;
    return stream->event[(ticket < oldest ? oldest : ticket) % TICKETS];
}

static void after(FvGpu *gpu, FvGpuQueue which, FvGpuQueue other, uint64_t ticket)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    if (ticket)
        after_foreign(gpu, which, event_of(&cuda->queues[other], ticket), 0);
}

static void copy(FvGpu *gpu, FvGpuQueue which, const FvGpuMemory *to, size_t to_offset, const FvGpuMemory *from,
                 size_t from_offset, size_t bytes)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    if (stream->broken)
        return;
    enter(cuda);
    note(stream, cuda->cu->cuMemcpyAsync(to->address + to_offset, from->address + from_offset, bytes, stream->stream),
         "a copy");
    leave(cuda);
}

static void fill(FvGpu *gpu, FvGpuQueue which, const FvGpuMemory *to, size_t offset, size_t bytes, uint32_t word)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    if (stream->broken)
        return;
    enter(cuda);
    note(stream, cuda->cu->cuMemsetD32Async(to->address + offset, word, bytes / 4, stream->stream), "a fill");
    leave(cuda);
}

/* Does nothing: the commands of a stream run in order. */
static void barrier(FvGpu *gpu, FvGpuQueue which)
{
}

static Timing *next_timing(CudaGpu *cuda, const FvKernel *kernel)
{
    if (!cuda->gpu.profile || cuda->timing_count == TIMED)
        return NULL;
    Timing *timing = &cuda->timings[cuda->timing_count];
    if (!timing->first && cuda->cu->cuEventCreate(&timing->first, CU_EVENT_DEFAULT))
        return NULL;
    if (!timing->last && cuda->cu->cuEventCreate(&timing->last, CU_EVENT_DEFAULT))
        return NULL;
    cuda->timing_count++;
    timing->kernel = kernel;
    return timing;
}

static void launch(FvGpu *gpu, FvGpuQueue which, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y,
                   uint32_t z)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    CuFunction function;
    if (stream->broken)
        return;
    enter(cuda);
    CuResult result = find_function(cuda, kernel, &function);
    if (!result) {
        Timing *timing = next_timing(cuda, kernel);
        if (timing)
            cuda->cu->cuEventRecord(timing->first, stream->stream);
        result = cuda->cu->cuLaunchKernel(function, x, y, z, kernel->threads, 1, 1, 0, stream->stream,
                                          (void *[]){(void *)args}, NULL);
        if (timing)
            cuda->cu->cuEventRecord(timing->last, stream->stream);
    }
    note(stream, result, kernel->name);
    leave(cuda);
}

/* Waits until the device is idle, because commands that were recorded before a failure are already running. */
static void end_all(CudaGpu *cuda)
{
    enter(cuda);
    if (cuda->cu->cuCtxSynchronize())
        cuda->lost = true;
    leave(cuda);
}

static FvStatus submit(FvGpu *gpu, FvGpuQueue which, uint64_t *ticket, FvError *error)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    if (!stream->broken) {
        CuEvent *event = &stream->event[(stream->submitted + 1) % TICKETS];
        enter(cuda);
        CuResult result = *event ? CU_SUCCESS : cuda->cu->cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
        note(stream, result ? result : cuda->cu->cuEventRecord(*event, stream->stream), "submitting");
        leave(cuda);
    }
    if (stream->broken) {
        end_all(cuda);
        return fail_call(cuda, stream->broken_what, stream->broken, error);
    }
    *ticket = ++stream->submitted;
    return FV_OK;
}

static void collect_times(CudaGpu *cuda)
{
    int kept = 0;
    for (int i = 0; i < cuda->timing_count; i++) {
        Timing timing = cuda->timings[i];
        float milliseconds;
        if (!cuda->cu->cuEventElapsedTime(&milliseconds, timing.first, timing.last)) {
            fv_gpu_add_time(&cuda->gpu, timing.kernel, milliseconds * 1e-3);
        } else {
            cuda->timings[i] = cuda->timings[kept];
            cuda->timings[kept++] = timing;
        }
    }
    cuda->timing_count = kept;
}

static FvStatus wait(FvGpu *gpu, FvGpuQueue which, uint64_t ticket, FvError *error)
{
    CudaGpu *cuda = (CudaGpu *)gpu;
    Stream *stream = &cuda->queues[which];
    if (cuda->lost)
        return fail_again(cuda, error);
    if (ticket <= stream->finished)
        return FV_OK;
    CuEvent event = event_of(stream, ticket);
    CuResult result;
    double start = fv_seconds(), waited = 0;
    enter(cuda);
    /* The driver's own wait has no time limit. Short waits spin, longer waits sleep. */
    while ((result = cuda->cu->cuEventQuery(event)) == CU_NOT_READY && waited < FV_GPU_PATIENCE) {
        waited = fv_seconds() - start;
        if (waited > 100e-6)
            fv_thread_sleep(20000);
    }
    if (!result && which == FV_GPU_COMPUTE)
        collect_times(cuda);
    leave(cuda);
    if (result == CU_NOT_READY) {
        cuda->lost = cuda->silent = true;
        return fv_fail(error, FV_ERROR_DEVICE, "%s:%d (%s) has not answered for %d seconds", gpu->ops->kind,
                       gpu->index, gpu->info.title, FV_GPU_PATIENCE);
    }
    if (result) {
        end_all(cuda);
        return fail_call(cuda, "waiting", result, error);
    }
    stream->finished = ticket;
    return FV_OK;
}

static void handles(const FvGpu *gpu, FvDeviceHandles *handles)
{
    const CudaGpu *cuda = (const CudaGpu *)gpu;
    if (!cuda->vendor->contexts)
        return;
    handles->cuda_context = cuda->context;
    handles->cuda_stream = cuda->queues[FV_GPU_COMPUTE].stream;
}

#define DRIVER(NAME, VENDOR, OPEN_IN)                                                                                \
    static bool describe_##NAME(int index, FvGpuInfo *info, char *absent, size_t size)                               \
    {                                                                                                                \
        return describe_gpu(&VENDOR, index, info, absent, size);                                                     \
    }                                                                                                                \
                                                                                                                     \
    static FvStatus open_##NAME(FvGpu **gpu, int index, FvError *error)                                              \
    {                                                                                                                \
        return open_context(gpu, &fv_gpu_##NAME, &VENDOR, NULL, index, error);                                       \
    }                                                                                                                \
                                                                                                                     \
    const FvGpuOps fv_gpu_##NAME = {                                                                                 \
        .kind = #NAME,                                                                                               \
        .describe = describe_##NAME,                                                                                 \
        .open = open_##NAME,                                                                                         \
        .open_in = OPEN_IN,                                                                                          \
        .close = close_gpu,                                                                                          \
        .available = available,                                                                                      \
        .alloc = alloc_memory,                                                                                       \
        .free = free_memory,                                                                                         \
        .load = load,                                                                                                \
        .begin = begin,                                                                                              \
        .after = after,                                                                                              \
        .after_foreign = after_foreign,                                                                              \
        .copy = copy,                                                                                                \
        .fill = fill,                                                                                                \
        .launch = launch,                                                                                            \
        .barrier = barrier,                                                                                          \
        .submit = submit,                                                                                            \
        .wait = wait,                                                                                                \
        .handles = handles,                                                                                          \
    };

#if FV_HAVE_CUDA
/* Returns the number of the device of a context, or -1 if the driver does not know it. */
static int index_of(const CudaDriver *cu, CuContext context)
{
    CuDevice device, other;
    int count = 0;
    if (cu->cuCtxPushCurrent(context))
        return -1;
    bool known = !cu->cuCtxGetDevice(&device) && !cu->cuDeviceGetCount(&count);
    cu->cuCtxPopCurrent(&context);
    for (int i = 0; known && i < count; i++)
        if (!cu->cuDeviceGet(&other, i) && other == device)
            return i;
    return -1;
}

static FvStatus open_in(FvGpu **gpu, void *context, int index, FvError *error)
{
    const CudaDriver *cu;
    FvStatus status = find_driver(&fv_cuda_nvidia, &cu, error);
    if (status)
        return status;
    int own = index_of(cu, context);
    if (own < 0)
        return fv_fail(error, FV_ERROR_DEVICE, "NVIDIA's driver does not know the device of the CUDA context");
    if (index >= 0 && index != own)
        return fv_fail(error, FV_ERROR_USAGE, "the CUDA context is of cuda:%d, not of cuda:%d", own, index);
    return open_context(gpu, &fv_gpu_cuda, &fv_cuda_nvidia, context, own, error);
}

DRIVER(cuda, fv_cuda_nvidia, open_in)
#endif
#if FV_HAVE_HIP
DRIVER(hip, fv_cuda_amd, NULL)
#endif
