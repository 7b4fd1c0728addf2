/*
 * Imitates AMD's driver, libamdhip64.so, with the machine of host memory. Its functions are those of the imitation of
 * CUDA under AMD's names, except where HIP differs.
 */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "cuda.h"
#include "driver.h"
#include "library_names.h"
#include "machine.h"
#include "os/library.h"

#define CALLERS_DEVICE 3 /* current device of the caller's thread, which fovea must restore */

static const CudaDriver *const cuda = &failing_cuda_table;
static _Thread_local int current = CALLERS_DEVICE;

static CuResult version(int *version)
{
    CuResult result = cuda->cuDriverGetVersion(version);
    *version = 60200000;
    return result;
}

static const char *error_string(CuResult result)
{
    const char *text;
    cuda->cuGetErrorString(result, &text);
    return text;
}

static CuResult set_device(int device)
{
    current = device;
    return CU_SUCCESS;
}

static CuResult get_device(int *device)
{
    *device = current;
    return CU_SUCCESS;
}

static CuResult copy(CuPointer to, CuPointer from, size_t bytes, int kind, CuStream stream)
{
    if (kind != 4)
        machine_object("a copy names kinds of memory");
    return cuda->cuMemcpyAsync(to, from, bytes, stream);
}

/* Describes a device of the last architecture that the build has code for. */
static CuResult properties(void *properties, int device)
{
    static const char known[] = " " FV_HIP_ARCHITECTURES;
    size_t bytes;
    CuResult result = cuda->cuDeviceTotalMem(&bytes, device); /* can fail like other calls */
    memset(properties, 0, 1472);
    snprintf((char *)properties + 1160, 256, "%s:sramecc+:xnack-", strrchr(known, ' ') + 1);
    return result;
}

/* Loads a module, which must be an uncompressed bundle of code objects. */
static CuResult load_module(CuModule *module, const void *image)
{
    if (memcmp(image, "__CLANG_OFFLOAD_BUNDLE__", 24))
        machine_object("a module is no bundle of code objects");
    return cuda->cuModuleLoadData(module, image);
}

/* Launches a kernel, after fovea has chosen its device in this thread. */
static CuResult launch(CuFunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                       unsigned bz, unsigned shared, CuStream stream, void **parameters, void **extra)
{
    if (current)
        machine_object("a kernel is launched on the caller's device");
    return cuda->cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
}

static const struct {
    const char *name;
    void *function;
} differing[] = {
    {"hipDriverGetVersion", version},   {"hipGetErrorString", error_string},
    {"hipSetDevice", set_device},       {"hipGetDevice", get_device},
    {"hipMemcpyAsync", copy},           {"hipGetDeviceProperties", properties},
    {"hipModuleLoadData", load_module}, {"hipModuleLaunchKernel", launch},
};

/* The linker redirects the library's calls of fv_library_open() to the test's function. */
void *__real_fv_library_open(const char *file);
void *__wrap_fv_library_open(const char *file);
void *__wrap_fv_library_open(const char *file)
{
    return strncmp(file, FV_LIBRARY_HIP, strlen(FV_LIBRARY_HIP)) ? __real_fv_library_open(file) : (void *)cuda;
}

static bool is_same(const char *name, const char *function)
{
    return name && !strcmp(name, function);
}

void *__real_fv_library_find(void *library, const char *function);
void *__wrap_fv_library_find(void *library, const char *function);
void *__wrap_fv_library_find(void *library, const char *function)
{
    if (library != cuda)
        return __real_fv_library_find(library, function);
    for (size_t i = 0; i < sizeof differing / sizeof *differing; i++)
        if (is_same(differing[i].name, function))
            return differing[i].function;
#define FIND(member, nvidias, amds, parameters)                                                                      \
    if (is_same(amds, function))                                                                                     \
        return *(void *const *)&cuda->member;
    FV_CUDA_FUNCTIONS(FIND)
    return NULL;
}

static void reset(bool null)
{
    failing_cuda.reset(null);
}

static bool clean(char *why, size_t size)
{
    if (current == CALLERS_DEVICE)
        return failing_cuda.clean(why, size);
    snprintf(why, size, "the caller's thread is left with device %d", current);
    return false;
}

const FailingDriver failing_hip = {"hip:0", false, NULL, reset, clean, NULL};
