/* The device of on_cuda.h as an imitation in host memory, whose n-th call fails (tests/gpu/fail). */
#include "on_cuda.h"

#include <string.h>

#include "cuda_calls.h"
#include "gpu/cuda/driver.h"
#include "gpu/fail/driver.h"
#include "gpu/fail/fault.h"
#include "gpu/fail/machine.h"
#include "torture/failing.h"

const CudaDriver *__wrap_fv_cuda_driver(const CudaVendor *vendor, char *absent, size_t size);
const LvCudaCalls *__wrap_lv_cuda_calls(const char **why);

static const CudaDriver *driver(void)
{
    return __wrap_fv_cuda_driver(&fv_cuda_nvidia, NULL, 0);
}

static long downloads;

static int download(void *to, uint64_t from, size_t bytes)
{
    if (fault_strikes("download", false))
        return CU_OUT_OF_MEMORY;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    downloads++;
    return CU_SUCCESS;
}

const LvCudaCalls *__wrap_lv_cuda_calls(const char **why)
{
    static LvCudaCalls table;
    const CudaDriver *cu = driver();
    *why = NULL;
    table = (LvCudaCalls){cu->cuInit,
                          cu->cuDeviceGetCount,
                          cu->cuDeviceGet,
                          cu->cuDevicePrimaryCtxRetain,
                          cu->cuDevicePrimaryCtxRelease,
                          cu->cuCtxPushCurrent,
                          cu->cuCtxPopCurrent,
                          cu->cuCtxGetDevice,
                          cu->cuMemAlloc,
                          cu->cuMemFree,
                          download,
                          cu->cuEventCreate,
                          cu->cuEventRecord,
                          cu->cuEventDestroy};
    return &table;
}

static bool open_fake(const char **why)
{
    *why = NULL;
    return true;
}

static int own;

static void *make_context(void)
{
    return &own;
}

static void close_context(void *context)
{
}

static bool upload(void *context, uint64_t to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return true;
}

static void reset(long failing, bool lost)
{
    downloads = 0;
    failing_cuda.reset(false);
    fault_arm(lost ? FAULT_LOST : FAULT_MEMORY, failing);
}

static void starve(long n)
{
    counting = false;
    atomic_store(&calls, 0);
    atomic_store(&countdown, n ? n : -1);
    counting = true;
}

static long count_allocations(void)
{
    counting = false;
    return atomic_load(&calls);
}

static long count_downloads(void)
{
    return downloads;
}

static bool clean(char *why, size_t size)
{
    return failing_cuda.clean(why, size);
}

const OnCuda on_cuda = {.open = open_fake,
                        .context = make_context,
                        .close_context = close_context,
                        .upload = upload,
                        .reset = reset,
                        .clean = clean,
                        .calls = fault_calls,
                        .starve = starve,
                        .allocations = count_allocations,
                        .downloads = count_downloads};
