#include "gpu/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/gpu_device.h"
#include "picture/frame.h"

/*
 * Opens the GPU. If the device's name has no number, opens the device of the caller's context, or else the first
 * device.
 */
static FvStatus open_driver(FvGpu **gpu, const FvGpuOps *driver, const FvDeviceParams *params, FvError *error)
{
    int index = fv_device_index(params->name);
    if (!params->cuda_context)
        return driver->open(gpu, index, error);
    return driver->open_in(gpu, params->cuda_context, strchr(params->name, ':') ? index : -1, error);
}

FvStatus fv_gpu_device_open(FvDevice **device, const FvDeviceOps *ops, const FvGpuOps *driver,
                            const FvDeviceParams *params, FvError *error)
{
    FvGpuDevice *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return fv_fail_memory(error, sizeof *gpu);
    gpu->device.ops = ops;
    gpu->filling = -1;
    FvStatus status = open_driver(&gpu->gpu, driver, params, error);
    if (!status && !(gpu->store = fv_gpu_store_open(gpu->gpu))) {
        driver->close(&gpu->gpu);
        status = fv_fail_memory(error, sizeof(void *));
    }
    if (status) {
        free(gpu);
        return status;
    }
    gpu->device.software = gpu->gpu->info.software;
    snprintf(gpu->device.title, sizeof gpu->device.title, "%s", gpu->gpu->info.title);
    *device = &gpu->device;
    return FV_OK;
}

FvStatus fv_gpu_device_borrow(FvDevice **device, FvGpu *gpu, FvError *error)
{
    FvGpuDevice *borrower = calloc(1, sizeof *borrower);
    if (!borrower)
        return fv_fail_memory(error, sizeof *borrower);
    borrower->gpu = gpu;
    borrower->borrowed = true;
    borrower->filling = -1;
    *device = &borrower->device;
    return FV_OK;
}

FvGpu *fv_gpu_of_device(FvDevice *device)
{
    return ((FvGpuDevice *)device)->gpu;
}

uint64_t fv_gpu_device_sent(const FvDevice *device)
{
    const FvGpuDevice *gpu = (const FvGpuDevice *)device;
    uint64_t sent = 0;
    for (int i = 0; i < FV_GPU_VARIANTS; i++)
        sent += gpu->variant[i].frames ? fv_gpu_frames_sent(gpu->variant[i].frames) : 0;
    for (int side = 0; side < 2; side++)
        sent += gpu->feeds[side] ? fv_gpu_feed_sent(gpu->feeds[side]) : 0;
    return sent;
}

FvStatus fv_gpu_device_frame(FvDevice *device, FvFrame **frame, const FvFormat *format, FvMemory memory,
                             FvError *error)
{
    return fv_gpu_store_frame(((FvGpuDevice *)device)->store, frame, format,
                              memory == FV_MEMORY_DEVICE ? FV_GPU_LOCAL : FV_GPU_HOST, false, error);
}

FvStatus fv_gpu_device_packet(FvDevice *device, FvPacketMemory *memory, size_t bytes, FvError *error)
{
    return fv_gpu_store_packet(((FvGpuDevice *)device)->store, memory, bytes, error);
}

FvFeed *fv_gpu_device_feed(FvDevice *device, int side, int lanes)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    FvError ignored;
    if (!gpu->gpu->info.feeds)
        return NULL;
    if (!gpu->feeds[side] && fv_gpu_feed_open(&gpu->feeds[side], gpu->gpu, side, lanes, &ignored))
        return NULL;
    return fv_gpu_feed_of(gpu->feeds[side]);
}

static void release_nothing(void *opaque)
{
}

FvStatus fv_gpu_device_wrap(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                            FvError *error)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    FvFramePlace place = {.owner = gpu->gpu,
                          .sync = where->sync,
                          .sync_value = where->sync_value,
                          .release = where->release ? where->release : release_nothing,
                          .opaque = where->opaque};
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        const ptrdiff_t row = (ptrdiff_t)width * fv_format_sample_bytes(format);
        place.address[plane] = where->address[plane];
        if (where->address[plane] && where->stride[plane] >= row && where->stride[plane] <= UINT32_MAX / height)
            continue;
        place.release(place.opaque);
        *frame = NULL;
        return fv_fail(
            error, FV_ERROR_USAGE,
            "plane %d of a device frame is at %#llx with rows of %td bytes: it needs an address, rows of %td "
            "bytes or more, and no more than 4 GiB in all",
            plane, (unsigned long long)where->address[plane], where->stride[plane], row);
    }
    return fv_frame_wrap(frame, format, (uint8_t *[3]){0}, where->stride, &place, error);
}

FvStatus fv_gpu_device_make_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvPixels *pixels,
                                   int matrix, FvError *error)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    return fv_gpu_pixels_make(gpu->gpu, gpu->store, &gpu->refused, frame, format, pixels, matrix, error);
}

uint64_t fv_gpu_device_room(FvDevice *device)
{
    FvGpu *gpu = ((FvGpuDevice *)device)->gpu;
    return gpu->ops->available(gpu);
}

void fv_gpu_device_handles(const FvDevice *device, FvDeviceHandles *handles)
{
    const FvGpuDevice *gpu = (const FvGpuDevice *)device;
    handles->kind = gpu->gpu->ops->kind;
    handles->index = gpu->gpu->index;
    gpu->gpu->ops->handles(gpu->gpu, handles);
}

void fv_gpu_device_close(FvDevice **device)
{
    FvGpuDevice *gpu = (FvGpuDevice *)*device;
    *device = NULL;
    if (!gpu)
        return;
    /* After a failed session, batches may still be in flight, and memory that the GPU uses must not be freed. */
    for (int i = 0; gpu->batches && i < gpu->used; i++) {
        const FvTaskBatch *batch = &gpu->batches[(gpu->first + i) % gpu->batch_count];
        if (batch->state == FV_BATCH_RUNNING)
            fv_gpu_settle(gpu->gpu, FV_GPU_COMPUTE, false, batch->ticket);
    }
    for (int i = 0; i < FV_GPU_VARIANTS; i++)
        fv_gpu_frames_close(&gpu->variant[i].frames);
    for (int side = 0; side < 2; side++)
        fv_gpu_feed_close(&gpu->feeds[side]);
    fv_gpu_store_close(&gpu->store);
    fv_gpu_refused_free(gpu->gpu, &gpu->refused);
    fv_gpu_free_areas(gpu);
    free(gpu->batches);
    if (!gpu->borrowed)
        gpu->gpu->ops->close(&gpu->gpu);
    free(gpu);
}
