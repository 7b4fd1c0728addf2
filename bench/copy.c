#include "copy.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/host.h"
#include "clock.h"
#include "device_select/devices.h"
#include "gpu/gpu.h"
#include "steady.h"

#include "kernel/copy.h"

#define BYTES ((size_t)1 << 28)          /* bytes of one copy */
#define SOFTWARE_BYTES ((size_t)1 << 24) /* bytes of one copy on a software driver, which is slow */
#define MOST_COPIES 64                   /* maximum number of copies in one submission */
#define SUBMISSION 4e-3 /* seconds that a submission should take, so that the cost of submitting is negligible */

extern const FvKernel fv_kernel_copy;

/* One copy, which is measured repeatedly. */
typedef struct Copy {
    FvGpu *gpu;
    FvGpuQueue queue;
    size_t bytes;
    FvGpuMemory host, local[2];
    const FvGpuMemory *to, *from;
    int copies; /* copies of one submission */
} Copy;

/* Copies within the device's memory by a kernel, because the driver's own copy may be slower. */
static void copy_inside(Copy *copy)
{
    const uint32_t groups = 4096;
    FvCopyArgs args = {copy->from->address, copy->to->address, copy->bytes / 16, groups * FV_COPY_THREADS};
    copy->gpu->ops->launch(copy->gpu, FV_GPU_COMPUTE, &fv_kernel_copy, &args, groups, 1, 1);
    copy->gpu->ops->barrier(copy->gpu, FV_GPU_COMPUTE);
}

static FvStatus submit(Copy *copy, FvError *error)
{
    const FvGpuOps *ops = copy->gpu->ops;
    uint64_t ticket;
    FvStatus status = ops->begin(copy->gpu, copy->queue, error);
    for (int i = 0; i < copy->copies && !status; i++)
        if (copy->to->host || copy->from->host)
            ops->copy(copy->gpu, copy->queue, copy->to, 0, copy->from, 0, copy->bytes);
        else
            copy_inside(copy);
    if (!status)
        status = ops->submit(copy->gpu, copy->queue, &ticket, error);
    return status ? status : ops->wait(copy->gpu, copy->queue, ticket, error);
}

static FvStatus copy_for(void *what, double seconds, double *rate, FvError *error)
{
    Copy *copy = what;
    const double start = fv_seconds();
    double bytes = 0, passed = 0;
    FvStatus status = FV_OK;
    while (passed < seconds && !status) {
        const double before = passed;
        status = submit(copy, error);
        passed = fv_seconds() - start;
        bytes += (double)copy->bytes * copy->copies;
        if (passed - before < SUBMISSION && copy->copies < MOST_COPIES)
            copy->copies *= 2;
    }
    *rate = bytes / passed;
    return status;
}

static FvStatus open_copy(Copy *copy, const char *device, FvError *error)
{
    FvStatus status = fv_devices_open_gpu(&copy->gpu, device, error);
    if (status)
        return status;
    copy->bytes = copy->gpu->info.software ? SOFTWARE_BYTES : BYTES;
    status = copy->gpu->ops->alloc(copy->gpu, &copy->host, copy->bytes, FV_GPU_HOST, error);
    for (int i = 0; i < 2 && !status; i++)
        status = copy->gpu->ops->alloc(copy->gpu, &copy->local[i], copy->bytes, FV_GPU_LOCAL, error);
    if (!status)
        memset(copy->host.host, 1, copy->bytes);
    return status;
}

static void close_copy(Copy *copy)
{
    if (!copy->gpu)
        return;
    copy->gpu->ops->free(copy->gpu, &copy->host);
    copy->gpu->ops->free(copy->gpu, &copy->local[0]);
    copy->gpu->ops->free(copy->gpu, &copy->local[1]);
    copy->gpu->ops->close(&copy->gpu);
}

typedef enum Way { TO, FROM, INSIDE } Way;

static FvStatus measure_way(Copy *copies, int count, Way way, double seconds, Steady *results, FvError *error)
{
    void **what = calloc((size_t)count, sizeof *what);
    if (!what)
        return FV_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        Copy *copy = &copies[i];
        copy->queue = way == INSIDE ? FV_GPU_COMPUTE : FV_GPU_COPY;
        copy->to = way == FROM ? &copy->host : &copy->local[0];
        copy->from = way == TO ? &copy->host : way == FROM ? &copy->local[0] : &copy->local[1];
        copy->copies = 1;
        what[i] = copy;
    }
    FvStatus status = steady_measure(copy_for, NULL, what, count, seconds, results, error);
    free(what);
    return status;
}

FvStatus copy_measure(const char *const devices[], int count, double seconds, CopyRates rates[], FvError *error)
{
    Copy *copies = calloc((size_t)count, sizeof *copies);
    Steady *results = calloc(3 * (size_t)count, sizeof *results);
    FvStatus status = copies && results ? FV_OK : FV_ERROR_MEMORY;
    for (int i = 0; i < count && !status; i++)
        status = open_copy(&copies[i], devices[i], error);
    for (int way = TO; way <= INSIDE && !status; way++)
        status = measure_way(copies, count, (Way)way, seconds, results + way * count, error);
    for (int i = 0; i < count && !status; i++) {
        const FvGpuInfo *info = &copies[i].gpu->info;
        rates[i] = (CopyRates){results[i].median, results[count + i].median, 2 * results[2 * count + i].median};
        printf("%s: %s, %s\nplain copies: %.1f GB/s to the device, %.1f GB/s from it, %.0f GB/s inside (read "
               "plus "
               "written)\n\n",
               devices[i], info->title, info->driver, rates[i].to * 1e-9, rates[i].from * 1e-9,
               rates[i].inside * 1e-9);
    }
    for (int i = 0; copies && i < count; i++)
        close_copy(&copies[i]);
    free(copies);
    free(results);
    return status;
}
