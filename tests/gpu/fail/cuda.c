/*
 * Imitates NVIDIA's driver with the machine of host memory (machine.h): its table of functions replaces
 * libcuda.so.1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "cuda.h"
#include "driver.h"
#include "fault.h"
#include "machine.h"

#define LAUNCH_FAILED 719 /* error after which a context is unusable */

struct CUstream_st {
    int queue;
};
struct CUevent_st {
    int queue;
    uint64_t position;
    struct CUevent_st *next;
};
struct CUmod_st {
    char kernel[64];
    struct CUmod_st *next;
};

static struct CUstream_st streams[MACHINE_QUEUES];
static int contexts, stream_count, event_count, module_count;
static CuEvent events; /* list of all events, so that those of a silent device can be freed, too */
static CuModule modules;

static CuResult strike(const char *call, bool waits)
{
    if (!fault_strikes(call, waits))
        return CU_SUCCESS;
    if (fault_kind() == FAULT_SILENT)
        return CU_NOT_READY;
    if (fault_kind() != FAULT_LOST)
        return CU_OUT_OF_MEMORY;
    machine_lose();
    return LAUNCH_FAILED;
}

#define STRIKE(waits)                                                                                                \
    do {                                                                                                             \
        CuResult struck_ = strike(__func__, waits);                                                                  \
        if (struck_)                                                                                                 \
            return struck_;                                                                                          \
    } while (0)

static CuResult init(unsigned flags)
{
    return CU_SUCCESS;
}

static CuResult version(int *version)
{
    STRIKE(false);
    *version = 12040;
    return CU_SUCCESS;
}

static CuResult error_string(CuResult result, const char **text)
{
    *text = result == LAUNCH_FAILED ? "unspecified launch failure" : "out of memory";
    return CU_SUCCESS;
}

static CuResult device_count(int *count)
{
    STRIKE(false);
    *count = 1;
    return CU_SUCCESS;
}

static CuResult device_get(CuDevice *device, int index)
{
    STRIKE(false);
    *device = index;
    return CU_SUCCESS;
}

static CuResult device_name(char *name, int size, CuDevice device)
{
    STRIKE(false);
    snprintf(name, (size_t)size, "host memory");
    return CU_SUCCESS;
}

static CuResult device_memory(size_t *bytes, CuDevice device)
{
    STRIKE(false);
    *bytes = 1 << 30;
    return CU_SUCCESS;
}

static CuResult device_attribute(int *value, int attribute, CuDevice device)
{
    STRIKE(false);
    *value = attribute == CU_ATTRIBUTE_MAJOR ? 9 : 32;
    return CU_SUCCESS;
}

static CuResult retain(CuContext *context, CuDevice device)
{
    STRIKE(false);
    *context = (CuContext)streams;
    contexts++;
    return CU_SUCCESS;
}

static CuResult release(CuDevice device)
{
    if (machine_blocks && contexts == 1)
        machine_object("a context was released before its memory was freed");
    contexts--;
    return CU_SUCCESS;
}

static CuResult push(CuContext context)
{
    return CU_SUCCESS;
}

static CuResult pop(CuContext *context)
{
    *context = NULL;
    return CU_SUCCESS;
}

static CuResult context_device(CuDevice *device)
{
    STRIKE(false);
    *device = 0;
    return CU_SUCCESS;
}

static CuResult synchronize(void)
{
    if (!fault_struck() || fault_kind() != FAULT_LOST)
        for (int q = 0; q < MACHINE_QUEUES; q++)
            machine_run(q, machine_position(q));
    STRIKE(false);
    return CU_SUCCESS;
}

static CuResult memory_info(size_t *room, size_t *total)
{
    STRIKE(false);
    *room = *total = 1 << 30;
    return CU_SUCCESS;
}

static CuResult memory_alloc(CuPointer *pointer, size_t bytes)
{
    STRIKE(false);
    *pointer = machine_alloc(bytes);
    return CU_SUCCESS;
}

static CuResult memory_free(CuPointer pointer)
{
    machine_free(pointer);
    return CU_SUCCESS;
}

static CuResult host_alloc(void **host, size_t bytes, unsigned flags)
{
    STRIKE(false);
    *host = (void *)(uintptr_t)machine_alloc(bytes);
    return CU_SUCCESS;
}

static CuResult host_free(void *host)
{
    machine_free((uint64_t)(uintptr_t)host);
    return CU_SUCCESS;
}

static CuResult host_pointer(CuPointer *pointer, void *host, unsigned flags)
{
    STRIKE(false);
    *pointer = (uint64_t)(uintptr_t)host;
    return CU_SUCCESS;
}

static CuResult host_register(void *host, size_t bytes, unsigned flags)
{
    STRIKE(false);
    machine_lend((uint64_t)(uintptr_t)host, bytes);
    return CU_SUCCESS;
}

static CuResult host_unregister(void *host)
{
    machine_return((uint64_t)(uintptr_t)host);
    return CU_SUCCESS;
}

static CuResult copy(CuPointer to, CuPointer from, size_t bytes, CuStream stream)
{
    STRIKE(false);
    machine_copy(stream->queue, to, from, bytes);
    return CU_SUCCESS;
}

static CuResult fill(CuPointer to, unsigned word, size_t count, CuStream stream)
{
    STRIKE(false);
    machine_fill(stream->queue, to, 4 * count, word);
    return CU_SUCCESS;
}

static CuResult module_load(CuModule *module, const void *image)
{
    STRIKE(false);
    *module = calloc(1, sizeof **module);
    if (!*module)
        return CU_OUT_OF_MEMORY;
    (*module)->next = modules;
    modules = *module;
    module_count++;
    return CU_SUCCESS;
}

static CuResult module_unload(CuModule module)
{
    CuModule *link = &modules;
    while (*link != module)
        link = &(*link)->next;
    *link = module->next;
    free(module);
    module_count--;
    return CU_SUCCESS;
}

static CuResult module_function(CuFunction *function, CuModule module, const char *name)
{
    STRIKE(false);
    snprintf(module->kernel, sizeof module->kernel, "%s", name + strlen("fv_"));
    *function = (CuFunction)module;
    return CU_SUCCESS;
}

static CuResult launch(CuFunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared, CuStream stream, void **parameters, void **extra)
{
    STRIKE(false);
    const char *kernel = ((CuModule)function)->kernel;
    machine_launch(stream->queue, kernel, parameters[0], machine_args_bytes(kernel), gx, gy, gz);
    return CU_SUCCESS;
}

static CuResult stream_create(CuStream *stream, unsigned flags)
{
    STRIKE(false);
    streams[stream_count % MACHINE_QUEUES].queue = stream_count % MACHINE_QUEUES;
    *stream = &streams[stream_count++ % MACHINE_QUEUES];
    return CU_SUCCESS;
}

static CuResult stream_destroy(CuStream stream)
{
    stream_count--;
    return CU_SUCCESS;
}

static CuResult stream_wait(CuStream stream, CuEvent event, unsigned flags)
{
    STRIKE(false);
    machine_after(stream->queue, event->queue, event->position);
    return CU_SUCCESS;
}

static CuResult event_create(CuEvent *event, unsigned flags)
{
    STRIKE(false);
    *event = calloc(1, sizeof **event);
    if (!*event)
        return CU_OUT_OF_MEMORY;
    (*event)->next = events;
    events = *event;
    event_count++;
    return CU_SUCCESS;
}

static CuResult event_destroy(CuEvent event)
{
    CuEvent *link = &events;
    while (*link != event)
        link = &(*link)->next;
    *link = event->next;
    free(event);
    event_count--;
    return CU_SUCCESS;
}

static CuResult event_record(CuEvent event, CuStream stream)
{
    STRIKE(false);
    event->queue = stream ? stream->queue : 0;
    event->position = stream ? machine_position(stream->queue) : 0; /* the default stream is up to date */
    return CU_SUCCESS;
}

static CuResult event_query(CuEvent event)
{
    if (fault_silenced())
        return CU_NOT_READY;
    STRIKE(true);
    return machine_run(event->queue, event->position) ? CU_SUCCESS : LAUNCH_FAILED;
}

static CuResult event_time(float *milliseconds, CuEvent first, CuEvent last)
{
    STRIKE(false);
    *milliseconds = 1;
    return CU_SUCCESS;
}

/* The imitated functions, in the order of FV_CUDA_FUNCTIONS. */
const CudaDriver failing_cuda_table = {
    init,           version,          error_string,    device_count,    device_get,    device_name,
    device_memory,  device_attribute, retain,          release,         push,          pop,
    context_device, synchronize,      memory_info,     memory_alloc,    memory_free,   host_alloc,
    host_free,      host_pointer,     host_register,   host_unregister, copy,          fill,
    module_load,    module_unload,    module_function, launch,          stream_create, stream_destroy,
    stream_wait,    event_create,     event_destroy,   event_record,    event_query,   event_time,
};

#if FV_HAVE_CUDA
const CudaDriver *__real_fv_cuda_driver(const CudaVendor *vendor, char *absent, size_t size);
const CudaDriver *__wrap_fv_cuda_driver(const CudaVendor *vendor, char *absent, size_t size);
const CudaDriver *__wrap_fv_cuda_driver(const CudaVendor *vendor, char *absent, size_t size)
{
    return vendor == &fv_cuda_nvidia ? &failing_cuda_table : __real_fv_cuda_driver(vendor, absent, size);
}
#endif

/* Advances the clock by 1000 s per call once the device has stopped answering, so that waits time out at once. */
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    static time_t passed;
    int result = __real_clock_gettime(clock, time);
    if (fault_silenced())
        passed += 1000;
    time->tv_sec += passed;
    return result;
}

static void reset(bool null)
{
    machine_reset(null);
    while (events)
        event_destroy(events);
    while (modules)
        module_unload(modules);
    contexts = stream_count = event_count = module_count = 0;
    fault_hook = NULL;
}

static bool clean(char *why, size_t size)
{
    const int objects = contexts + stream_count + event_count + module_count + machine_blocks;
    if (*machine_defect)
        snprintf(why, size, "%s", machine_defect);
    else if (objects && !fault_silenced())
        snprintf(why, size, "%d contexts, %d streams, %d events, %d modules and %d blocks of memory are left",
                 contexts, stream_count, event_count, module_count, machine_blocks);
    else
        return true;
    return false;
}

const FailingDriver failing_cuda = {"cuda:0", false, NULL, reset, clean, NULL};
