#include "scale_gpu.h"

#include "base/error.h"
#include "clock.h"
#include "frame.h"
#include "gpu/device.h"
#include "gpu/planes.h"
#include "gpu/prepare.h"
#include "gpu/selftest/selftest.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "scale.h"
#include "session/state.h"

#define BATCHES 2                       /* number of batches: one is sent while the other is scaled */
#define MOST 16                         /* maximum number of frames in a batch */
#define BATCH_BYTES ((size_t)128 << 20) /* maximum bytes of the scaled frames in a batch */

struct ScaleLane {
    FvSession *session;
    FvGpu *gpu;
    Origin origin;
    FvPreparation *preparation;
    FvGpuPrepare *scale;
    FvFrame *small[BATCHES * MOST];
    FvGpuMemory out;
    uint64_t ticket[BATCHES];
    bool busy[BATCHES];
    int batch;
    size_t sent; /* bytes of a frame that go over the bus */
    int64_t scaled;
};

static FvStatus make_frames(ScaleLane *lane, const FvFrame *small, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < BATCHES * lane->batch && !status; i++)
        status = bench_frame(lane->session, &lane->small[i], small, lane->origin, error);
    for (int i = 0; i < BATCHES * lane->batch && !status; i++)
        status = fv_gpu_prepare_reserve(lane->scale, i, lane->preparation, error);
    return status;
}

FvStatus scale_lane_open(ScaleLane **lane, const char *device, const Clip *clip, Origin origin, bool timed,
                         FvError *error)
{
    ScaleLane *l = *lane = fv_alloc_zero(sizeof *l);
    FvFrame *small = NULL;
    char why[512];
    if (!l)
        return fv_fail_memory(error, sizeof *l);
    l->origin = origin;
    const size_t bytes = fv_format_plane_bytes(&clip->format), fit = BATCH_BYTES / bytes;
    l->batch = fit < 1 ? 1 : fit < MOST ? (int)fit : MOST;
    FvStatus status = fv_session_open(&l->session, &(FvSessionParams){.device = device, .threads = 1}, error);
    if (!status)
        status = bench_scale_prepare(&l->preparation, &small, clip, NULL, 1, error);
    if (!status && !fv_gpu_device_prepares(l->session->devices.opened[0], l->preparation, why, sizeof why))
        status = fv_fail(error, FV_ERROR_DEVICE, "scaling: %s", why);
    if (!status) {
        l->gpu = fv_gpu_of_device(l->session->devices.opened[0]);
        l->gpu->profile = timed;
        status = fv_gpu_prepare_open(&l->scale, l->gpu, BATCHES * l->batch, error);
    }
    if (!status)
        status = l->gpu->ops->alloc(l->gpu, &l->out, bytes * (size_t)(BATCHES * l->batch), FV_GPU_LOCAL, error);
    if (!status)
        status = make_frames(l, small, error);
    fv_frame_unref(&small);
    return status;
}

void scale_lane_close(ScaleLane **lane)
{
    ScaleLane *l = *lane;
    *lane = NULL;
    if (!l)
        return;
    for (int i = 0; i < BATCHES; i++)
        if (l->busy[i])
            fv_gpu_settle(l->gpu, FV_GPU_COMPUTE, false, l->ticket[i]);
    for (int i = 0; i < BATCHES * MOST; i++)
        fv_frame_unref(&l->small[i]);
    fv_gpu_prepare_close(&l->scale);
    if (l->gpu)
        l->gpu->ops->free(l->gpu, &l->out);
    fv_prepare_close(&l->preparation);
    fv_session_close(&l->session);
    fv_free(l);
}

static FvStatus send_batch(ScaleLane *lane, int batch, uint64_t *ticket, FvError *error)
{
    const FvFormat *to = fv_prepare_to(lane->preparation);
    FvStatus status = lane->gpu->ops->begin(lane->gpu, FV_GPU_COPY, error);
    if (status)
        return status;
    for (int i = batch * lane->batch; i < (batch + 1) * lane->batch && !status; i++) {
        const FvUnprepared unprepared = {lane->small[i], lane->preparation};
        FvPlanes planes = {0};
        fv_gpu_planes(to, lane->out.address + fv_format_plane_bytes(to) * (size_t)i, &planes);
        status = fv_gpu_prepare_send(lane->scale, i, &unprepared, fv_format_planes(to), &planes, &lane->sent, error);
    }
    if (status) {
        fv_gpu_settle(lane->gpu, FV_GPU_COPY, true, 0);
        return status;
    }
    return lane->gpu->ops->submit(lane->gpu, FV_GPU_COPY, ticket, error);
}

static FvStatus scale_batch(ScaleLane *lane, int batch, FvError *error)
{
    const FvGpuOps *ops = lane->gpu->ops;
    uint64_t sent = 0;
    FvStatus status = lane->busy[batch] ? ops->wait(lane->gpu, FV_GPU_COMPUTE, lane->ticket[batch], error) : FV_OK;
    lane->busy[batch] = false;
    if (!status)
        status = send_batch(lane, batch, &sent, error);
    if (!status)
        status = ops->begin(lane->gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->after(lane->gpu, FV_GPU_COMPUTE, FV_GPU_COPY, sent);
    fv_gpu_prepare_record(lane->scale);
    status = ops->submit(lane->gpu, FV_GPU_COMPUTE, &lane->ticket[batch], error);
    lane->busy[batch] = !status;
    lane->scaled += lane->batch;
    return status;
}

FvStatus scale_lane_run(void *opaque, double seconds, double *rate, FvError *error)
{
    ScaleLane *lane = opaque;
    const double start = fv_seconds();
    const int64_t first = lane->scaled;
    double passed = 0;
    FvStatus status = FV_OK;
    while (!status && passed < seconds) {
        for (int batch = 0; batch < BATCHES && !status; batch++)
            status = scale_batch(lane, batch, error);
        passed = fv_seconds() - start;
    }
    for (int batch = 0; batch < BATCHES && !status; batch++) {
        status = lane->gpu->ops->wait(lane->gpu, FV_GPU_COMPUTE, lane->ticket[batch], error);
        lane->busy[batch] = false;
    }
    *rate = (double)(lane->scaled - first) / (fv_seconds() - start);
    return status;
}

const char *scale_lane_title(const ScaleLane *lane)
{
    return lane->session->devices.opened[0]->title;
}

double scale_lane_bytes(const ScaleLane *lane)
{
    const size_t written = fv_format_plane_bytes(fv_prepare_to(lane->preparation));
    return (double)(lane->origin == RESIDENT ? lane->sent + written : lane->sent);
}

FvStatus scale_lane_print(ScaleLane *lane, double seconds, FvError *error)
{
    double rate;
    FvStatus status = scale_lane_run(lane, seconds, &rate, error);
    for (int i = 0; i < lane->gpu->time_count && !status; i++)
        printf("    %-46s %-9s %8.1f us a frame\n", lane->gpu->times[i].name, lane->gpu->ops->kind,
               1e6 * lane->gpu->times[i].seconds / (double)lane->scaled);
    return status;
}
