/* The device of on_cuda.h with NVIDIA's driver. */
#include <dlfcn.h>

#include "on_cuda.h"

static int (*init)(unsigned), (*count)(int *), (*get)(int *, int), (*create)(void **, unsigned, int),
    (*destroy)(void *), (*push)(void *), (*pop)(void **), (*retain)(void **, int), (*release)(int),
    (*alloc)(uint64_t *, size_t), (*release_memory)(uint64_t), (*to_device)(uint64_t, const void *, size_t),
    (*copy)(uint64_t, uint64_t, size_t);
static int device;

static bool open_driver(const char **why)
{
    static const struct {
        void *place;
        const char *name;
    } calls[] = {{&init, "cuInit"},
                 {&count, "cuDeviceGetCount"},
                 {&get, "cuDeviceGet"},
                 {&create, "cuCtxCreate_v2"},
                 {&destroy, "cuCtxDestroy_v2"},
                 {&push, "cuCtxPushCurrent_v2"},
                 {&pop, "cuCtxPopCurrent_v2"},
                 {&retain, "cuDevicePrimaryCtxRetain"},
                 {&release, "cuDevicePrimaryCtxRelease_v2"},
                 {&alloc, "cuMemAlloc_v2"},
                 {&release_memory, "cuMemFree_v2"},
                 {&to_device, "cuMemcpyHtoD_v2"},
                 {&copy, "cuMemcpyDtoD_v2"}};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    bool good = library != NULL;
    for (size_t i = 0; good && i < sizeof calls / sizeof *calls; i++)
        good = (*(void **)calls[i].place = dlsym(library, calls[i].name)) != NULL;
    int devices = 0;
    *why = "there is no driver of NVIDIA's";
    if (!good)
        return false;
    *why = "NVIDIA's driver finds no GPU";
    return !init(0) && !count(&devices) && devices && !get(&device, 0);
}

static void *make_context(void)
{
    void *context = NULL, *popped;
    if (create(&context, 0, device))
        return NULL;
    pop(&popped);
    return context;
}

static void close_context(void *context)
{
    destroy(context);
}

/* Starts a copy from device to device without waiting for it. Freeing the source then waits by itself. */
static bool upload(void *context, uint64_t to, const void *from, size_t bytes)
{
    void *entered = context, *popped;
    uint64_t between = 0;
    if (!context && retain(&entered, device))
        return false;
    push(entered);
    bool good = !alloc(&between, bytes) && !to_device(between, from, bytes) && !copy(to, between, bytes);
    release_memory(between);
    pop(&popped);
    if (!context)
        release(device);
    return good;
}

const OnCuda on_cuda = {
    .all = true, .open = open_driver, .context = make_context, .close_context = close_context, .upload = upload};
