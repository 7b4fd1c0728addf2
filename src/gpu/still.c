#include "gpu/still.h"

#include <string.h>

#include "base/error.h"
#include "gpu/launches.h"
#include "gpu/planes.h"
#include "gpu/selftest/selftest.h"
#include "os/memory.h"
#include "picture/frame.h"

/* The parts of the memory of a still pair. */
typedef enum Part { PAIR, REFERENCE, DISTORTED, WORK, RESULTS, CONSTANTS, MAP, PARTS } Part;

struct FvGpuStill {
    FvGpu *gpu;
    FvGpuMemory local[PARTS], host[PARTS]; /* host: host memory of data that are uploaded or fetched */
    const FvFeature *trusted;
};

static FvStatus make_room(FvGpuStill *still, Part part, size_t bytes, bool hosted, FvError *error)
{
    const FvGpuOps *ops = still->gpu->ops;
    FvStatus status = FV_OK;
    bytes = FV_ROUND_UP(bytes ? bytes : 1, 256);
    if (still->local[part].bytes != bytes) {
        ops->free(still->gpu, &still->local[part]);
        ops->free(still->gpu, &still->host[part]);
        still->local[part] = still->host[part] = (FvGpuMemory){0};
        status = ops->alloc(still->gpu, &still->local[part], bytes, FV_GPU_LOCAL, error);
        if (!status && hosted)
            status = ops->alloc(still->gpu, &still->host[part], bytes, FV_GPU_HOST, error);
    }
    return status;
}

static FvStatus fill_frame(FvGpuStill *still, Part part, const FvFrame *frame, FvPlanes *planes, FvError *error)
{
    const FvFormat *format = &frame->format;
    FvStatus status = make_room(still, part, fv_format_plane_bytes(format), true, error);
    uint8_t *to = still->host[part].host;
    for (int i = 0; i < fv_format_planes(format) && !status; i++) {
        int width, height;
        fv_format_plane_size(format, i, &width, &height);
        for (int y = 0; y < height; y++, to += fv_format_stride(format, i))
            memcpy(to, frame->data[i] + y * frame->stride[i], (size_t)width * fv_format_sample_bytes(format));
    }
    fv_gpu_planes(format, still->local[part].address, planes);
    return status;
}

static FvStatus finish_still(FvGpuStill *still, FvError *error)
{
    uint64_t ticket;
    FvStatus status = still->gpu->ops->submit(still->gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : still->gpu->ops->wait(still->gpu, FV_GPU_COMPUTE, ticket, error);
}

static FvStatus upload(FvGpuStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error)
{
    const FvGpuOps *ops = still->gpu->ops;
    FvPair pair = {.ref.unused = 0};
    FvStatus status = reference ? fill_frame(still, REFERENCE, reference, &pair.ref, error) : FV_OK;
    if (!status)
        status = fill_frame(still, DISTORTED, distorted, &pair.dis, error);
    if (!status)
        status = make_room(still, PAIR, sizeof pair, true, error);
    if (status)
        return status;
    memcpy(still->host[PAIR].host, &pair, sizeof pair);
    status = ops->begin(still->gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    for (int part = PAIR; part <= DISTORTED; part++)
        if (still->local[part].bytes)
            ops->copy(still->gpu, FV_GPU_COMPUTE, &still->local[part], 0, &still->host[part], 0,
                      still->local[part].bytes);
    return finish_still(still, error);
}

FvStatus fv_gpu_still_open(FvGpuStill **still, FvGpu *gpu, const FvFrame *reference, const FvFrame *distorted,
                           FvError *error)
{
    FvGpuStill *s = *still = fv_alloc_zero(sizeof *s);
    if (!s) {
        gpu->ops->close(&gpu);
        return fv_fail_memory(error, sizeof *s);
    }
    s->gpu = gpu;
    return fv_gpu_still_pair(s, reference, distorted, error);
}

FvStatus fv_gpu_still_pair(FvGpuStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error)
{
    if (!distorted->data[0] || (reference && !reference->data[0]))
        return fv_fail(error, FV_ERROR_USAGE,
                       "a still takes frames in host memory, not in device memory; copy them first");
    return upload(still, reference, distorted, error);
}

FvStatus fv_gpu_still_run(FvGpuStill *still, const FvFeatureInstance *run, int first, const FvWork *work, int map,
                          bool fetch, FvStillMap *where, FvError *error)
{
    char why[512];
    const FvGpuFeature *feature = run->feature->gpu;
    const FvGpuOps *ops = still->gpu->ops;
    FvGpuPlan plan;
    bool can = fv_gpu_plan(still->gpu, run, &plan, why, sizeof why);
    if (can && still->trusted != run->feature)
        can = fv_gpu_trusts(still->gpu, &(FvGpuSkill){.feature = run->feature}, why, sizeof why);
    if (can && map >= 0 && !(plan.maps >> map & 1)) {
        can = false;
        snprintf(why, sizeof why, "it has no kernel for that map");
    }
    if (!can)
        return fv_fail(error, FV_ERROR_DEVICE, "%s on %s: %s; use the CPU", run->feature->name,
                       still->gpu->info.title, why);
    still->trusted = run->feature;
    size_t map_bytes = map < 0 ? 0 : (size_t)run->map[map].width * (size_t)run->map[map].height * sizeof(float);
    FvStatus status = make_room(still, WORK, plan.work_bytes, false, error);
    if (!status)
        status = make_room(still, RESULTS, plan.result_bytes, true, error);
    if (!status)
        status = make_room(still, CONSTANTS, plan.constant_bytes, true, error);
    if (!status)
        status = make_room(still, MAP, map_bytes, true, error);
    if (status)
        return status;
    FvGpuBatch batch = {.gpu = still->gpu,
                        .count = 1,
                        .scored = 1,
                        .first_stage = first,
                        .pairs = still->local[PAIR].address,
                        .constants = still->local[CONSTANTS].address,
                        .work = still->local[WORK].address,
                        .results = still->local[RESULTS].address,
                        .work_stride = (uint32_t)(still->local[WORK].bytes / 256),
                        .result_stride = (uint32_t)(still->local[RESULTS].bytes / 256),
                        .memory = {&still->local[WORK], &still->local[RESULTS], &still->local[MAP]}};
    if (map >= 0) {
        batch.map[map] = still->local[MAP].address;
        batch.map_stride[map] = (uint32_t)(still->local[MAP].bytes / 256);
    }
    status = ops->begin(still->gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    if (feature->constants) {
        feature->constants(run, still->host[CONSTANTS].host);
        ops->copy(still->gpu, FV_GPU_COMPUTE, &still->local[CONSTANTS], 0, &still->host[CONSTANTS], 0,
                  still->local[CONSTANTS].bytes);
        ops->barrier(still->gpu, FV_GPU_COMPUTE);
    }
    feature->record(run, &batch);
    ops->barrier(still->gpu, FV_GPU_COMPUTE);
    ops->copy(still->gpu, FV_GPU_COMPUTE, &still->host[RESULTS], 0, &still->local[RESULTS], 0,
              still->local[RESULTS].bytes);
    if (map >= 0 && fetch)
        ops->copy(still->gpu, FV_GPU_COMPUTE, &still->host[MAP], 0, &still->local[MAP], 0, still->local[MAP].bytes);
    status = finish_still(still, error);
    if (status)
        return status;
    feature->results(run, work, still->host[RESULTS].host);
    if (map >= 0)
        *where = (FvStillMap){fetch ? (const float *)still->host[MAP].host : NULL, still->local[MAP].address};
    return FV_OK;
}

void fv_gpu_still_handles(const FvGpuStill *still, FvDeviceHandles *handles)
{
    handles->kind = still->gpu->ops->kind;
    handles->index = still->gpu->index;
    still->gpu->ops->handles(still->gpu, handles);
}

void fv_gpu_still_close(FvGpuStill **still)
{
    FvGpuStill *s = *still;
    if (!s)
        return;
    for (int part = 0; s->gpu && part < PARTS; part++) {
        s->gpu->ops->free(s->gpu, &s->local[part]);
        s->gpu->ops->free(s->gpu, &s->host[part]);
    }
    if (s->gpu)
        s->gpu->ops->close(&s->gpu);
    fv_free(s);
    *still = NULL;
}
