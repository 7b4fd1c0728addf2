/*
 * AMD's part of the CUDA backend: loads libamdhip64.so, hides its differences from CUDA, and unpacks the code objects
 * of a kernel.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "gpu/cuda/driver.h"
#include "library_names.h"
#include "os/library.h"
#include "os/memory.h"
#include "os/thread.h"

/* Constants of hipDeviceAttribute_t since ROCm 5, and of hipMemcpyKind. */
enum {
    ATTRIBUTE_THREADS = 56,
    ATTRIBUTE_MULTIPROCESSORS = 63,
    ATTRIBUTE_SHARED = 74,
    ATTRIBUTE_WAVE = 87,
    COPY_BY_ADDRESS = 4,
};

static void load_library(void);
static CudaLibrary library = {.once = FV_ONCE, .load = load_library};
static struct {
    const char *(*error_string)(CuResult result);
    CuResult (*set_device)(int device);
    CuResult (*copy)(CuPointer to, CuPointer from, size_t bytes, int kind, CuStream stream);
    CuResult (*properties)(void *properties, int device);
} own;

static CuResult error_string(CuResult result, const char **text)
{
    *text = own.error_string(result);
    return CU_SUCCESS;
}

/*
 * Represents a context by the number of its device, because HIP deprecates contexts, and its hipCtxPopCurrent() does
 * not restore the thread's device.
 */
static CuResult retain(CuContext *context, CuDevice device)
{
    *context = (CuContext)((intptr_t)device + 1);
    return CU_SUCCESS;
}

static CuResult release(CuDevice device)
{
    return CU_SUCCESS;
}

static _Thread_local CuDevice callers; /* the thread's device before the push */

static CuResult push(CuContext context)
{
    if (library.functions.cuCtxGetDevice(&callers))
        callers = 0;
    return own.set_device((int)((intptr_t)context - 1));
}

static CuResult pop(CuContext *context)
{
    return own.set_device(callers);
}

static CuResult copy(CuPointer to, CuPointer from, size_t bytes, CuStream stream)
{
    return own.copy(to, from, bytes, COPY_BY_ADDRESS, stream);
}

static void *open_library(void)
{
    static const char *const files[] = {FV_LIBRARIES_HIP};
    void *file = NULL;
    for (size_t i = 0; i < sizeof files / sizeof *files && !file; i++)
        file = fv_library_open(files[i]);
    return file;
}

/* Finds a function in the library. Returns false if it is missing; the reason names the first missing one. */
static bool find_function(void *file, const char *symbol, void *function)
{
    void **address = function;
    if (*address || !symbol) /* replaced above, or without a counterpart in HIP */
        return true;
    *address = fv_library_find(file, symbol);
    if (!*address && !*library.reason)
        snprintf(library.reason, sizeof library.reason, "AMD's HIP is too old: it lacks %s", symbol);
    return *address;
}

static void load_library(void)
{
    CudaDriver *driver = &library.functions;
    void *file = open_library();
    if (!file) {
        snprintf(library.reason, sizeof library.reason,
                 "AMD's library " FV_LIBRARY_HIP " of ROCm 5 or later is not installed");
        return;
    }
    *driver = (CudaDriver){
        .cuGetErrorString = error_string,
        .cuDevicePrimaryCtxRetain = retain,
        .cuDevicePrimaryCtxRelease = release,
        .cuCtxPushCurrent = push,
        .cuCtxPopCurrent = pop,
        .cuMemcpyAsync = copy,
    };
    bool whole = find_function(file, "hipGetErrorString", &own.error_string) &&
                 find_function(file, "hipSetDevice", &own.set_device) &&
                 find_function(file, "hipMemcpyAsync", &own.copy);
#define FIND(member, cuda, symbol, parameters) whole = whole && find_function(file, symbol, &driver->member);
    FV_CUDA_FUNCTIONS(FIND)
    /* Since ROCm 6 the plain name fills the struct of ROCm 5. Both structs have the architecture's name. */
    own.properties = NULL;
    *(void **)&own.properties = fv_library_find(file, "hipGetDevicePropertiesR0600");
    if (!whole || !find_function(file, "hipGetDeviceProperties", &own.properties))
        return;
    CuResult result = driver->cuInit(0);
    library.usable = !result;
    if (result)
        snprintf(library.reason, sizeof library.reason, "AMD's HIP cannot be used: %s", own.error_string(result));
}

/* ---- Code objects ---------------------------------------------------------------------------------------------- */

/* Adds the further bytes of a length in an LZ4 block to *length. */
static bool lengthen(const uint8_t **from, const uint8_t *end, size_t *length)
{
    uint8_t byte = 255;
    for (; byte == 255 && *from < end; *length += byte)
        byte = *(*from)++;
    return byte != 255;
}

/* Unpacks an LZ4 block to exactly `room` bytes. */
static bool unpack(const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
    const uint8_t *end = from + size;
    size_t used = 0;
    while (from < end) {
        const uint8_t token = *from++;
        size_t literals = token >> 4, same = token & 15;
        if ((literals == 15 && !lengthen(&from, end, &literals)) || literals > (size_t)(end - from) ||
            literals > room - used)
            return false;
        memcpy(to + used, from, literals);
        used += literals;
        from += literals;
        if (from == end) /* the last sequence has literals only */
            break;
        if (end - from < 2)
            return false;
        const size_t distance = from[0] | (size_t)from[1] << 8;
        from += 2;
        if ((same == 15 && !lengthen(&from, end, &same)) || !distance || distance > used || same + 4 > room - used)
            return false;
        for (same += 4; same; same--, used++)
            to[used] = to[used - distance];
    }
    return used == room;
}

/*
 * Returns the bundle of a kernel's code objects, or NULL if this build has none or memory runs out. Free it with
 * fv_free().
 */
static uint8_t *unpack_bundle(const FvKernel *kernel)
{
    uint8_t *bundle = kernel->hip ? fv_alloc(kernel->hip_size) : NULL;
    if (bundle && !unpack(kernel->hip, kernel->hip_bytes, bundle, kernel->hip_size)) {
        fv_free(bundle);
        return NULL;
    }
    return bundle;
}

/*
 * Loads a kernel's bundle. The runtime selects the device's code object from it, and reads the bundle as long as the
 * module is loaded.
 */
static CuResult load(const CudaDriver *cu, CuModule *module, void **image, const FvKernel *kernel)
{
    *image = unpack_bundle(kernel);
    if (*image)
        return cu->cuModuleLoadData(module, *image);
    return kernel->hip ? CU_OUT_OF_MEMORY : CU_NO_BINARY;
}

/* Returns whether this build has code objects for an architecture such as "gfx90a". */
static bool has_code(const char *architecture, size_t length)
{
    char word[300];
    snprintf(word, sizeof word, " %.*s ", (int)length, architecture);
    return length && strstr(" " FV_HIP_ARCHITECTURES " ", word);
}

/* Writes the architecture's name with the driver's suffixes, "gfx90a:sramecc+:xnack-", or "" if it is unknown. */
static void find_architecture(CuDevice device, char *name, size_t size)
{
    char properties[8192] = ""; /* the struct has 1472 bytes in ROCm 6, and its members move between releases */
    *name = '\0';
    if (own.properties(properties, device))
        return;
    for (size_t i = 256; i + 256 < sizeof properties && !*name; i++) /* skip the title, which precedes it */
        if (!memcmp(properties + i, "gfx", 3))
            snprintf(name, size, "%.255s", properties + i);
}

static void describe(const CudaDriver *cu, CuDevice device, FvGpuInfo *info)
{
    *info = (FvGpuInfo){.float64 = true, .feeds = true};
    int version = 0, threads = 0, shared = 0, wave = 0, multiprocessors = 0;
    size_t memory = 0;
    char architecture[256];
    cu->cuDriverGetVersion(&version);
    cu->cuDeviceGetName(info->title, sizeof info->title, device);
    cu->cuDeviceTotalMem(&memory, device);
    cu->cuDeviceGetAttribute(&threads, ATTRIBUTE_THREADS, device);
    cu->cuDeviceGetAttribute(&shared, ATTRIBUTE_SHARED, device);
    cu->cuDeviceGetAttribute(&wave, ATTRIBUTE_WAVE, device);
    cu->cuDeviceGetAttribute(&multiprocessors, ATTRIBUTE_MULTIPROCESSORS, device);
    find_architecture(device, architecture, sizeof architecture);
    const size_t length = strcspn(architecture, ":");
    if (!*info->title)
        snprintf(info->title, sizeof info->title, "AMD %.64s", architecture);
    snprintf(info->driver, sizeof info->driver, "AMD HIP %d.%d, %.128s", version / 10000000, version / 100000 % 100,
             architecture);
    snprintf(info->limits, sizeof info->limits,
             "%d threads and %d KiB shared memory a block, waves of %d, %d compute units", threads, shared >> 10,
             wave, multiprocessors);
    info->memory = memory;
    if (!has_code(architecture, length))
        snprintf(info->lacks, sizeof info->lacks, "kernels for its architecture, %.*s", (int)length, architecture);
}

const CudaVendor fv_cuda_amd = {
    .name = "HIP",
    .driver = "AMD's HIP",
    .contexts = false,
    .library = &library,
    .pci = {69, 67, 68},
    .describe = describe,
    .load = load,
};
