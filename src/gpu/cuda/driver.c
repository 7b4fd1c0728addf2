#include "gpu/cuda/driver.h"

#include <stdbool.h>
#include <stdio.h>

#include "library_names.h"
#include "os/library.h"
#include "os/thread.h"

static CudaDriver driver;
static bool usable;
static char reason[256];

static void load(void)
{
    void *library = fv_library_open(FV_LIBRARY_CUDA);
    if (!library) {
        snprintf(reason, sizeof reason, "NVIDIA's driver library " FV_LIBRARY_CUDA " is not installed");
        return;
    }
#define LOAD(member, symbol, hip, parameters)                                                                        \
    *(void **)&driver.member = fv_library_find(library, symbol);                                                     \
    if (!driver.member) {                                                                                            \
        snprintf(reason, sizeof reason, "NVIDIA's driver is too old: it lacks " symbol);                             \
        return;                                                                                                      \
    }
    FV_CUDA_FUNCTIONS(LOAD)
    CuResult result = driver.cuInit(0);
    if (result) {
        const char *text = NULL;
        driver.cuGetErrorString(result, &text);
        snprintf(reason, sizeof reason, "NVIDIA's driver cannot be used: %s", text ? text : "unknown error");
        return;
    }
    usable = true;
}

const CudaDriver *fv_cuda_driver(char *absent, size_t size)
{
    static FvOnce once = FV_ONCE;
    fv_once(&once, load);
    if (!usable && absent)
        snprintf(absent, size, "%s", reason);
    return usable ? &driver : NULL;
}
