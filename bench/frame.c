#include "frame.h"

#include <string.h>

#include "gpu/device.h"
#include "picture/frame.h"
#include "session/state.h"

static void fill_pinned(FvFrame *to, const FvFrame *from)
{
    for (int plane = 0; plane < fv_format_planes(&from->format); plane++) {
        int width, height;
        fv_format_plane_size(&from->format, plane, &width, &height);
        memcpy(to->data[plane], from->data[plane], (size_t)from->stride[plane] * (size_t)height);
    }
}

FvStatus bench_frame(FvSession *session, FvFrame **frame, const FvFrame *from, Origin origin, FvError *error)
{
    if (origin == PAGEABLE)
        return fv_frame_copy(frame, &from->format, (const void *const *)from->data, from->stride, error);
    FvFrame *pinned = NULL;
    FvStatus status = fv_session_frame(session, &pinned, &from->format, FV_MEMORY_PINNED, error);
    if (status)
        return status;
    fill_pinned(pinned, from);
    if (origin == PINNED) {
        *frame = pinned;
        return FV_OK;
    }
    FvGpu *gpu = fv_gpu_of_device(session->devices.opened[0]);
    status = fv_session_frame(session, frame, &from->format, FV_MEMORY_DEVICE, error);
    if (!status)
        status = gpu->ops->begin(gpu, FV_GPU_COPY, error);
    if (!status) {
        uint64_t ticket;
        gpu->ops->copy(gpu, FV_GPU_COPY, fv_frame_place(*frame)->memory, 0, fv_frame_place(pinned)->memory, 0,
                       fv_format_plane_bytes(&from->format));
        status = gpu->ops->submit(gpu, FV_GPU_COPY, &ticket, error);
        if (!status)
            status = gpu->ops->wait(gpu, FV_GPU_COPY, ticket, error);
    }
    fv_frame_unref(&pinned);
    return status;
}
