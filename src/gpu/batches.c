/*
 * GPUs as devices of a session. Pairs are gathered into batches, so that small frames fill the GPU and the cost of a
 * launch is shared; while one batch computes, the frames of the next are uploaded.
 */
#include <stdlib.h>
#include <string.h>

#include "codec/prores/prores.h"
#include "device.h"
#include "devices.h"
#include "error.h"
#include "frame.h"
#include "gpu/batches.h"
#include "gpu/feed.h"
#include "gpu/frames.h"
#include "gpu/store.h"
#include "mem.h"
#include "runs.h"

/* Luma samples that fill a large GPU, and the most pairs of a batch. */
#define BATCH_SAMPLES (1 << 25)
#define BATCH_PAIRS 32
#define MOST_SAMPLES                                                                                                 \
    (4 * BATCH_SAMPLES) /* that a metric can ask for: memory for frames in flight is three times that */
/* Frames that the readers have ahead of the pairs in flight. */
#define AHEAD_FRAMES 8
/* Batches under way: one computes, one uploads, one waits for its last pair. */
#define BATCHES 3
/* The greatest part of the free device memory that a session takes. */
#define MEMORY_SHARE(bytes) ((bytes) / 10 * 9)

typedef enum BatchState { BATCH_FREE, BATCH_FILLING, BATCH_RUNNING, BATCH_DONE, BATCH_FAILED } BatchState;

typedef struct Batch {
    BatchState state;
    FvTask *tasks[BATCH_PAIRS];
    FvPair pairs[BATCH_PAIRS]; /* of the tasks */
    int place[BATCH_PAIRS];    /* of each task's pair in device memory: skipped frames come last */
    int count, scored;         /* tasks; those that are not skipped */
    int unread;                /* tasks whose results nobody has asked for yet */
    uint64_t ticket;
} Batch;

typedef struct GpuDevice {
    FvDevice device;
    FvGpu *gpu;
    FvGpuStore *store;   /* frames that callers have asked for; NULL for a borrower */
    FvGpuFeed *feeds[2]; /* of the sides whose files are read slice by slice; else NULL */
    bool borrowed;       /* somebody else closes the GPU */
    const FvRun *runs;
    const FvCarry *mine;
    int run_count;
    FvFormat format;
    bool luma_only;
    unsigned reads[2]; /* FvReads of scored frames, of skipped ones */
    int behind[2];     /* frames back that scored, skipped ones need */

    FvGpuPlan plan[FV_MAX_RUNS];
    size_t work_offset[FV_MAX_RUNS], result_offset[FV_MAX_RUNS], constant_offset[FV_MAX_RUNS],
        lasting_offset[FV_MAX_RUNS];
    size_t map_offset[FV_MAX_RUNS][FV_MAX_MAPS], map_pair_bytes[FV_MAX_RUNS][FV_MAX_MAPS];
    size_t work_bytes, result_bytes, constant_bytes, lasting_bytes, map_bytes; /* of a whole batch; of all runs */
    FvGpuMemory work, results, pairs, constants, lasting,
        maps;                                        /* on the device; batches use them one after the other */
    FvGpuMemory host_results, host_pairs, host_maps; /* one part for each of the batches */

    FvGpuFrames *frames;
    Batch *batches;
    int batch_count, batch_pairs;
    int filling;     /* index of the batch being filled, or -1 */
    int first;       /* the oldest batch that is not free */
    int used;        /* batches that are not free */
    FvError failure; /* what ended all work; status FV_OK: nothing did */
} GpuDevice;

static const FvGpuFeature *gpu_feature(const FvRun *run)
{
    return run->feature->gpu;
}

static bool luma_only(const FvRun *run)
{
    return run->planes <= 1 || !run->reads;
}

/* Bytes of map m of one pair; 0 when nobody wants it. */
static size_t map_bytes(const FvRun *run, int m)
{
    size_t samples = (size_t)run->map[m].width * (size_t)run->map[m].height;
    return run->wanted_maps >> m & 1 ? FV_ROUND_UP(samples * sizeof(float), 256) : 0;
}

static size_t all_map_bytes(const FvRun *run, FvCarry carry)
{
    size_t bytes = 0;
    for (int m = 0; m < run->feature->map_count && carry != FV_CARRIES_PLAIN; m++)
        bytes += map_bytes(run, m);
    return bytes;
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

/* Without a number in its name, a device is the one that the context is of, or the first. */
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
    GpuDevice *gpu = calloc(1, sizeof *gpu);
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
    snprintf(gpu->device.title, sizeof gpu->device.title, "%s", gpu->gpu->info.title);
    *device = &gpu->device;
    return FV_OK;
}

FvStatus fv_gpu_device_borrow(FvDevice **device, FvGpu *gpu, FvError *error)
{
    GpuDevice *borrower = calloc(1, sizeof *borrower);
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
    return ((GpuDevice *)device)->gpu;
}

uint64_t fv_gpu_device_sent(const FvDevice *device)
{
    const GpuDevice *gpu = (const GpuDevice *)device;
    uint64_t sent = gpu->frames ? fv_gpu_frames_sent(gpu->frames) : 0;
    for (int side = 0; side < 2; side++)
        sent += gpu->feeds[side] ? fv_gpu_feed_sent(gpu->feeds[side]) : 0;
    return sent;
}

int fv_gpu_device_in_flight(FvDevice *device, const FvRun *runs, int count)
{
    (void)device;
    int64_t samples = (int64_t)runs[0].dis.width * runs[0].dis.height;
    int64_t pairs = BATCH_SAMPLES / samples, most = MOST_SAMPLES / samples;
    for (int i = 0; i < count; i++)
        if (gpu_feature(&runs[i]) && gpu_feature(&runs[i])->pairs > pairs)
            pairs = gpu_feature(&runs[i])->pairs < most ? gpu_feature(&runs[i])->pairs : most;
    return BATCHES * (int)(pairs < 1 ? 1 : pairs > BATCH_PAIRS ? BATCH_PAIRS : pairs);
}

bool fv_gpu_device_supports(FvDevice *device, const FvRun *run, char *why, size_t size)
{
    GpuDevice *gpu = (GpuDevice *)device;
    const FvGpuFeature *feature = gpu_feature(run);
    if (!feature) {
        snprintf(why, size, "it has no kernels for GPUs yet");
        return false;
    }
    FvGpuPlan plan = {.float64 = gpu->gpu->info.float64};
    if (!feature->plan(run, &plan, why, size))
        return false;
    if (run->wanted_maps & ~plan.maps) {
        snprintf(why, size, "it has no kernels for its maps");
        return false;
    }
    uint64_t need = plan.work_bytes + plan.result_bytes + plan.constant_bytes + plan.lasting_bytes +
                    all_map_bytes(run, FV_CARRIES) +
                    2 * (1 + run->behind) * (uint64_t)fv_gpu_frames_bytes(&run->dis, luma_only(run));
    uint64_t room = MEMORY_SHARE(gpu->gpu->ops->available(gpu->gpu));
    if (need > room) {
        snprintf(why, size, "one frame pair needs %.0f MB on %s:%d, which has %.0f MB free", (double)need * 1e-6,
                 gpu->gpu->ops->kind, gpu->gpu->index, (double)room * 1e-6);
        return false;
    }
    return true;
}

/* ---- Starting ----------------------------------------------------------------------------------------------- */

static void lay_out(GpuDevice *gpu)
{
    gpu->work_bytes = gpu->result_bytes = gpu->constant_bytes = gpu->lasting_bytes = gpu->map_bytes = 0;
    for (int r = 0; r < gpu->run_count; r++) {
        if (!gpu->mine[r])
            continue;
        const FvGpuPlan *plan = &gpu->plan[r];
        gpu->work_offset[r] = gpu->work_bytes;
        gpu->result_offset[r] = gpu->result_bytes;
        gpu->constant_offset[r] = gpu->constant_bytes;
        gpu->work_bytes += plan->work_bytes * (size_t)gpu->batch_pairs;
        gpu->result_bytes += plan->result_bytes * (size_t)gpu->batch_pairs;
        gpu->constant_bytes += plan->constant_bytes;
        gpu->lasting_offset[r] = gpu->lasting_bytes;
        gpu->lasting_bytes += plan->lasting_bytes;
        for (int m = 0; m < gpu->runs[r].feature->map_count; m++) {
            gpu->map_offset[r][m] = gpu->map_bytes;
            gpu->map_pair_bytes[r][m] = gpu->mine[r] == FV_CARRIES_PLAIN ? 0 : map_bytes(&gpu->runs[r], m);
            gpu->map_bytes += gpu->map_pair_bytes[r][m] * (size_t)gpu->batch_pairs;
        }
    }
}

static void free_areas(GpuDevice *gpu)
{
    FvGpuMemory *all[] = {&gpu->work, &gpu->results,      &gpu->pairs,      &gpu->constants, &gpu->lasting,
                          &gpu->maps, &gpu->host_results, &gpu->host_pairs, &gpu->host_maps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        gpu->gpu->ops->free(gpu->gpu, all[i]);
}

static FvStatus alloc_areas(GpuDevice *gpu, FvError *error)
{
    size_t pair_bytes = sizeof(FvPair) * (size_t)gpu->batch_pairs, batches = (size_t)gpu->batch_count;
    const struct {
        FvGpuMemory *memory;
        size_t bytes;
        FvGpuPlace place;
    } areas[] = {
        {&gpu->work, gpu->work_bytes + 256, FV_GPU_LOCAL},
        {&gpu->results, gpu->result_bytes + 256, FV_GPU_LOCAL},
        {&gpu->pairs, pair_bytes, FV_GPU_LOCAL},
        {&gpu->constants, gpu->constant_bytes + 256, FV_GPU_LOCAL},
        {&gpu->host_results, (gpu->result_bytes + 256) * batches, FV_GPU_HOST},
        {&gpu->host_pairs, pair_bytes * batches, FV_GPU_HOST},
        {&gpu->lasting, gpu->lasting_bytes, FV_GPU_LOCAL},
        {&gpu->maps, gpu->map_bytes, FV_GPU_LOCAL},
        {&gpu->host_maps, gpu->map_bytes * batches, FV_GPU_HOST},
    };
    FvStatus status = FV_OK;
    for (size_t i = 0; i < sizeof areas / sizeof *areas && !status; i++)
        if (areas[i].bytes)
            status = gpu->gpu->ops->alloc(gpu->gpu, areas[i].memory, areas[i].bytes, areas[i].place, error);
    if (status)
        free_areas(gpu);
    return status;
}

static FvStatus upload_constants(GpuDevice *gpu, FvError *error)
{
    const FvGpuOps *ops = gpu->gpu->ops;
    if (!gpu->constant_bytes)
        return FV_OK;
    FvGpuMemory staging;
    FvStatus status = ops->alloc(gpu->gpu, &staging, gpu->constant_bytes, FV_GPU_HOST, error);
    if (status)
        return status;
    for (int r = 0; r < gpu->run_count; r++)
        if (gpu->mine[r] && gpu->plan[r].constant_bytes)
            gpu_feature(&gpu->runs[r])->constants(&gpu->runs[r], staging.host + gpu->constant_offset[r]);
    uint64_t ticket;
    status = ops->begin(gpu->gpu, FV_GPU_COMPUTE, error);
    if (!status) {
        ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->constants, 0, &staging, 0, gpu->constant_bytes);
        status = ops->submit(gpu->gpu, FV_GPU_COMPUTE, &ticket, error);
    }
    if (!status)
        status = ops->wait(gpu->gpu, FV_GPU_COMPUTE, ticket, error);
    ops->free(gpu->gpu, &staging);
    return status;
}

/* How many of the pairs that the session may have in flight fit the free memory together. */
static int pairs_that_fit(const GpuDevice *gpu, int in_flight)
{
    size_t per_pair = 0, lasting = 0;
    for (int r = 0; r < gpu->run_count; r++)
        if (gpu->mine[r]) {
            lasting += gpu->plan[r].lasting_bytes;
            per_pair +=
                gpu->plan[r].work_bytes + gpu->plan[r].result_bytes + all_map_bytes(&gpu->runs[r], gpu->mine[r]);
        }
    size_t frame = fv_format_plane_bytes(&gpu->format);
    uint64_t room = MEMORY_SHARE(gpu->gpu->ops->available(gpu->gpu));
    int pairs = in_flight;
    while (pairs > 1 && (uint64_t)(2 * pairs + AHEAD_FRAMES) * frame +
                                (uint64_t)((pairs + BATCHES - 1) / BATCHES) * per_pair + lasting >
                            room)
        pairs--;
    return pairs;
}

FvStatus fv_gpu_device_start(FvDevice *device, FvRun *runs, const FvCarry *mine, int count, int *in_flight,
                             FvError *error)
{
    GpuDevice *gpu = (GpuDevice *)device;
    gpu->runs = runs;
    gpu->mine = mine;
    gpu->run_count = count;
    gpu->luma_only = true;
    char why[256];
    int carried = 0;
    for (int r = 0; r < count; r++) {
        if (!mine[r])
            continue;
        gpu->format = runs[r].dis;
        FvGpuPlan *plan = &gpu->plan[r];
        *plan = (FvGpuPlan){.float64 = gpu->gpu->info.float64};
        if (!gpu_feature(&runs[r])->plan(&runs[r], plan, why, sizeof why))
            return fv_fail(error, FV_ERROR_DEVICE, "%s: %s", runs[r].feature->name, why);
        plan->work_bytes = FV_ROUND_UP(plan->work_bytes, 256);
        plan->result_bytes = FV_ROUND_UP(plan->result_bytes, 256);
        plan->constant_bytes = FV_ROUND_UP(plan->constant_bytes, 256);
        plan->lasting_bytes = FV_ROUND_UP(plan->lasting_bytes, 256);
        for (int skipped = 0; skipped <= runs[r].every_frame; skipped++) {
            gpu->reads[skipped] |= runs[r].reads;
            gpu->behind[skipped] = runs[r].behind > gpu->behind[skipped] ? runs[r].behind : gpu->behind[skipped];
        }
        gpu->luma_only &= luma_only(&runs[r]);
        carried++;
    }
    if (!carried)
        return FV_OK;
    *in_flight = pairs_that_fit(gpu, *in_flight);
    FvStatus status;
    for (;;) {
        gpu->batch_pairs = (*in_flight + BATCHES - 1) / BATCHES;
        if (gpu->batch_pairs > BATCH_PAIRS)
            gpu->batch_pairs = BATCH_PAIRS;
        gpu->batch_count = *in_flight;
        lay_out(gpu);
        status = alloc_areas(gpu, error);
        if (!status || *in_flight == 1)
            break;
        *in_flight /= 2; /* what the driver called free was not free */
    }
    if (!status)
        status = upload_constants(gpu, error);
    if (!status)
        status = fv_gpu_frames_open(&gpu->frames, gpu->gpu, &gpu->format, gpu->luma_only,
                                    2 * (1 + gpu->behind[0]) * *in_flight + 2, error);
    if (status)
        return status;
    gpu->batches = calloc((size_t)gpu->batch_count, sizeof *gpu->batches);
    return gpu->batches ? FV_OK : fv_fail_memory(error, (size_t)gpu->batch_count * sizeof *gpu->batches);
}

/* ---- Batches ------------------------------------------------------------------------------------------------ */

static FvPair *host_pair(const GpuDevice *gpu, int batch, int i)
{
    return (FvPair *)gpu->host_pairs.host + (size_t)batch * gpu->batch_pairs + i;
}

/* Skipped frames come after the scored ones, so that the runs that leave them out launch fewer pairs. */
static void place_pairs(GpuDevice *gpu, int index)
{
    Batch *batch = &gpu->batches[index];
    int scored = 0, skipped = batch->scored;
    for (int i = 0; i < batch->count; i++) {
        batch->place[i] = batch->tasks[i]->skipped ? skipped++ : scored++;
        *host_pair(gpu, index, batch->place[i]) = batch->pairs[i];
    }
}

static FvGpuBatch view_of(const GpuDevice *gpu, const Batch *batch, int r)
{
    const FvRun *run = &gpu->runs[r];
    FvGpuBatch view = {
        .gpu = gpu->gpu,
        .count = run->every_frame ? batch->count : batch->scored,
        .pairs = gpu->pairs.address,
        .constants = gpu->constants.address + gpu->constant_offset[r],
        .lasting = gpu->lasting.address + gpu->lasting_offset[r],
        .order = batch->place,
        .starts = batch->tasks[0]->index == 0,
        .scored = batch->scored,
        .work = gpu->work.address + gpu->work_offset[r],
        .results = gpu->results.address + gpu->result_offset[r],
        .work_stride = (uint32_t)(gpu->plan[r].work_bytes / 256),
        .result_stride = (uint32_t)(gpu->plan[r].result_bytes / 256),
        .memory = {&gpu->work, &gpu->results, &gpu->maps},
    };
    for (int i = 0; i < run->input_count; i++) {
        int from = fv_run_input(gpu->runs, r, i);
        view.input[i].work = gpu->work.address + gpu->work_offset[from];
        view.input[i].results = gpu->results.address + gpu->result_offset[from];
        view.input[i].work_stride = (uint32_t)(gpu->plan[from].work_bytes / 256);
        view.input[i].result_stride = (uint32_t)(gpu->plan[from].result_bytes / 256);
    }
    for (int i = 0; i < batch->count; i++)
        for (int m = 0; batch->tasks[i]->map[r] && m < run->feature->map_count; m++)
            if (batch->tasks[i]->map[r][m].data && gpu->mine[r] != FV_CARRIES_PLAIN) {
                view.map[m] = gpu->maps.address + gpu->map_offset[r][m];
                view.map_stride[m] = (uint32_t)(gpu->map_pair_bytes[r][m] / 256);
            }
    return view;
}

/* Brings back the maps that frames of the batch want. */
static void copy_maps(GpuDevice *gpu, int index)
{
    const Batch *batch = &gpu->batches[index];
    for (int i = 0; i < batch->count; i++)
        for (int r = 0; r < gpu->run_count; r++)
            for (int m = 0;
                 gpu->mine[r] == FV_CARRIES && batch->tasks[i]->map[r] && m < gpu->runs[r].feature->map_count; m++) {
                size_t bytes = gpu->map_pair_bytes[r][m];
                size_t at = gpu->map_offset[r][m] + bytes * (size_t)batch->place[i];
                if (batch->tasks[i]->map[r][m].data)
                    gpu->gpu->ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->host_maps,
                                        gpu->map_bytes * (size_t)index + at, &gpu->maps, at, bytes);
            }
}

static FvStatus submit_batch(GpuDevice *gpu, int index, FvError *error)
{
    const FvGpuOps *ops = gpu->gpu->ops;
    Batch *batch = &gpu->batches[index];
    place_pairs(gpu, index);
    FvStatus status = ops->begin(gpu->gpu, FV_GPU_COMPUTE, error);
    if (!status)
        status = fv_gpu_frames_flush(gpu->frames, error);
    if (status)
        return status;
    ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->pairs, 0, &gpu->host_pairs,
              (size_t)((uint8_t *)host_pair(gpu, index, 0) - gpu->host_pairs.host),
              sizeof(FvPair) * (size_t)batch->count);
    ops->barrier(gpu->gpu, FV_GPU_COMPUTE);
    for (int r = 0; r < gpu->run_count; r++) {
        if (!gpu->mine[r])
            continue;
        FvGpuBatch view = view_of(gpu, batch, r);
        if (gpu->runs[r].input_count)
            ops->barrier(gpu->gpu, FV_GPU_COMPUTE);
        if (view.count)
            gpu_feature(&gpu->runs[r])->record(&gpu->runs[r], &view);
    }
    ops->barrier(gpu->gpu, FV_GPU_COMPUTE);
    ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->host_results, (gpu->result_bytes + 256) * (size_t)index, &gpu->results,
              0, gpu->result_bytes + 256);
    copy_maps(gpu, index);
    return ops->submit(gpu->gpu, FV_GPU_COMPUTE, &batch->ticket, error);
}

/* Fails as the first failure did. */
static FvStatus fail_again(const GpuDevice *gpu, FvError *error)
{
    return fv_fail(error, gpu->failure.status, "%s", gpu->failure.message);
}

/* A batch that could not be started is lost, and so is everything that would come after it. */
static FvStatus launch_batch(GpuDevice *gpu, FvError *error)
{
    Batch *batch = &gpu->batches[gpu->filling];
    FvStatus status = gpu->failure.status;
    if (!status)
        status = submit_batch(gpu, gpu->filling, &gpu->failure);
    gpu->filling = -1;
    batch->state = status ? BATCH_FAILED : BATCH_RUNNING;
    return status ? fail_again(gpu, error) : FV_OK;
}

#define PAIR_FRAMES 6

static bool is_packet(const FvFrame *frame)
{
    const FvFramePlace *place = frame ? fv_frame_place(frame) : NULL;
    return place && place->packet;
}

/* The frames of a task that this device reads or decodes; NULL for the others. In the order of FvPair. */
static void frames_of(const GpuDevice *gpu, const FvTask *task, FvFrame *frames[PAIR_FRAMES])
{
    unsigned reads = gpu->reads[task->skipped];
    FvFrame *ref[] = {task->ref, task->prev_ref[0], task->prev_ref[1]};
    FvFrame *dis[] = {task->dis, task->prev_dis[0], task->prev_dis[1]};
    for (int k = 0; k < PAIR_FRAMES / 2; k++) {
        bool near = k <= gpu->behind[task->skipped];
        frames[2 * k] = (near && (reads & FV_READS_REFERENCE)) || (!k && is_packet(*ref)) ? ref[k] : NULL;
        frames[2 * k + 1] = (near && (reads & FV_READS_DISTORTED)) || (!k && is_packet(*dis)) ? dis[k] : NULL;
    }
}

static void release_frames(GpuDevice *gpu, const FvTask *task)
{
    FvFrame *frames[PAIR_FRAMES];
    frames_of(gpu, task, frames);
    for (int i = 0; i < PAIR_FRAMES; i++)
        if (frames[i])
            fv_gpu_frames_release(gpu->frames, frames[i]);
}

/* Waits for a batch and lets go of its frames; its results stay until each task has asked for them. */
static FvStatus finish_batch(GpuDevice *gpu, Batch *batch, FvError *error)
{
    if (batch->state == BATCH_DONE)
        return FV_OK;
    if (batch->state == BATCH_FILLING)
        launch_batch(gpu, NULL);
    if (batch->state == BATCH_RUNNING) {
        FvError failure;
        FvStatus status = gpu->gpu->ops->wait(gpu->gpu, FV_GPU_COMPUTE, batch->ticket, &failure);
        if (status && !gpu->failure.status)
            gpu->failure = failure;
        batch->state = status ? BATCH_FAILED : BATCH_DONE;
    }
    if (batch->state == BATCH_FAILED)
        return fail_again(gpu, error);
    for (int i = 0; i < batch->count; i++)
        release_frames(gpu, batch->tasks[i]);
    return FV_OK;
}

/* Makes room for frames: finishes the oldest batch that still holds some. FV_ERROR_DEVICE when there is none. */
static FvStatus make_room(GpuDevice *gpu, FvError *error)
{
    for (int i = 0; i < gpu->used; i++) {
        Batch *batch = &gpu->batches[(gpu->first + i) % gpu->batch_count];
        if (batch->state != BATCH_DONE && batch->count)
            return finish_batch(gpu, batch, error);
    }
    return fv_fail(error, FV_ERROR_DEVICE, "%s:%d (%s) has no room for one frame pair", gpu->gpu->ops->kind,
                   gpu->gpu->index, gpu->gpu->info.title);
}

static FvStatus hold(GpuDevice *gpu, FvFrame *frame, FvPlanes *planes, FvError *error)
{
    *planes = (FvPlanes){0};
    return frame ? fv_gpu_frames_hold(gpu->frames, frame, planes, error) : FV_OK;
}

/* Holds the frames of a task, or none of them with FV_END when there is no room. */
static FvStatus hold_frames(GpuDevice *gpu, FvTask *task, FvPair *pair, FvError *error)
{
    FvFrame *frames[PAIR_FRAMES];
    FvPlanes *planes[PAIR_FRAMES] = {&pair->ref,      &pair->dis,       &pair->prev_ref,
                                     &pair->prev_dis, &pair->prev2_ref, &pair->prev2_dis};
    frames_of(gpu, task, frames);
    for (int i = 0; i < PAIR_FRAMES; i++) {
        FvStatus status = hold(gpu, frames[i], planes[i], error);
        if (!status)
            continue;
        while (i-- > 0)
            if (frames[i])
                fv_gpu_frames_release(gpu->frames, frames[i]);
        return status;
    }
    return FV_OK;
}

/* The frames that no later task looks back at. */
static void spend_frames(GpuDevice *gpu, const FvTask *task)
{
    const int behind = gpu->behind[0];
    FvFrame *last[] = {behind ? task->prev_ref[behind - 1] : task->ref,
                       behind ? task->prev_dis[behind - 1] : task->dis};
    for (int side = 0; side < 2; side++)
        if (last[side])
            fv_gpu_frames_spend(gpu->frames, last[side]);
}

FvStatus fv_gpu_device_submit(FvDevice *device, FvTask *task, FvError *error)
{
    GpuDevice *gpu = (GpuDevice *)device;
    if (!gpu->batches)
        return FV_OK;
    if (gpu->failure.status)
        return fail_again(gpu, error);
    FvPair pair;
    FvStatus status;
    while ((status = hold_frames(gpu, task, &pair, error)) == FV_END)
        if ((status = make_room(gpu, error)))
            break;
    if (status)
        return status;
    if (gpu->filling < 0) {
        gpu->filling = (gpu->first + gpu->used++) % gpu->batch_count;
        gpu->batches[gpu->filling] = (Batch){.state = BATCH_FILLING};
    }
    Batch *batch = &gpu->batches[gpu->filling];
    batch->pairs[batch->count] = pair;
    batch->tasks[batch->count++] = task;
    batch->scored += !task->skipped;
    batch->unread++;
    if (device->reads_once) {
        spend_frames(gpu, task);
        device->transferring = fv_gpu_frames_waited(gpu->frames);
    }
    return batch->count == gpu->batch_pairs ? launch_batch(gpu, error) : FV_OK;
}

static void take_maps(const GpuDevice *gpu, int batch, int place, const FvTask *task, int r)
{
    const FvRun *run = &gpu->runs[r];
    for (int m = 0; task->map[r] && m < run->feature->map_count; m++) {
        const FvMapPlane *plane = &task->map[r][m];
        size_t row = (size_t)run->map[m].width * sizeof(float);
        const uint8_t *from = gpu->host_maps.host + gpu->map_bytes * (size_t)batch + gpu->map_offset[r][m] +
                              gpu->map_pair_bytes[r][m] * (size_t)place;
        for (int y = 0; plane->data && y < run->map[m].height; y++)
            memcpy(plane->data + y * plane->stride, from + (size_t)y * row, row);
    }
}

static void take_results(GpuDevice *gpu, int batch, int place, const FvTask *task)
{
    const uint8_t *results = gpu->host_results.host + (gpu->result_bytes + 256) * (size_t)batch;
    for (int r = 0; r < gpu->run_count; r++) {
        const FvRun *run = &gpu->runs[r];
        if (!fv_task_counts(task, r, gpu->mine[r]) || (task->skipped && !run->every_frame))
            continue;
        FvWork work = fv_task_work(task, gpu->runs, r);
        gpu_feature(run)->results(run, &work,
                                  results + gpu->result_offset[r] + gpu->plan[r].result_bytes * (size_t)place);
        take_maps(gpu, batch, place, task, r);
    }
}

/* A frame that was decoded on the device and turned out to be damaged must not get a score. */
static FvStatus check_decoded(const FvFrame *frame, FvError *error)
{
    const FvFramePlace *place = frame ? fv_frame_place(frame) : NULL;
    const FvProresPacket *packet = place ? place->packet : NULL;
    return packet ? fv_prores_check_packet(packet, error) : FV_OK;
}

FvStatus fv_gpu_device_wait(FvDevice *device, FvTask *task, FvError *error)
{
    GpuDevice *gpu = (GpuDevice *)device;
    if (!gpu->batches)
        return FV_OK;
    int index = gpu->first, i = 0;
    Batch *batch = &gpu->batches[index];
    while (i < batch->count && batch->tasks[i] != task)
        i++;
    if (!gpu->used || i == batch->count)
        return fv_fail(error, FV_ERROR_DEVICE, "frame %lld was never submitted", (long long)task->number);
    FvStatus status = finish_batch(gpu, batch, error);
    FvFrame *frames[PAIR_FRAMES];
    frames_of(gpu, task, frames);
    for (int k = 0; k < PAIR_FRAMES && !status; k++)
        status = check_decoded(frames[k], error);
    if (!status)
        take_results(gpu, index, batch->place[i], task);
    if (--batch->unread == 0) {
        batch->state = BATCH_FREE;
        gpu->first = (gpu->first + 1) % gpu->batch_count;
        gpu->used--;
    }
    return status;
}

FvStatus fv_gpu_device_frame(FvDevice *device, FvFrame **frame, const FvFormat *format, FvMemory memory,
                             FvError *error)
{
    return fv_gpu_store_frame(((GpuDevice *)device)->store, frame, format,
                              memory == FV_MEMORY_DEVICE ? FV_GPU_LOCAL : FV_GPU_HOST, false, error);
}

FvFeed *fv_gpu_device_feed(FvDevice *device, int side, int lanes)
{
    GpuDevice *gpu = (GpuDevice *)device;
    FvError ignored;
    if (!gpu->gpu->info.feeds)
        return NULL;
    if (!gpu->feeds[side] && fv_gpu_feed_open(&gpu->feeds[side], gpu->gpu, side, lanes, &ignored))
        return NULL;
    return fv_gpu_feed_of(gpu->feeds[side]);
}

static void release_nothing(void *opaque)
{
    (void)opaque;
}

FvStatus fv_gpu_device_wrap(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                            FvError *error)
{
    GpuDevice *gpu = (GpuDevice *)device;
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
        return fv_fail(error, FV_ERROR_USAGE,
                       "plane %d of a device frame is at %#llx with rows of %td bytes: it needs an address, and rows "
                       "of %td bytes at least that are 4 GiB at most together",
                       plane, (unsigned long long)where->address[plane], where->stride[plane], row);
    }
    return fv_frame_wrap(frame, format, (uint8_t *[3]){0}, where->stride, &place, error);
}

uint64_t fv_gpu_device_room(FvDevice *device)
{
    FvGpu *gpu = ((GpuDevice *)device)->gpu;
    return gpu->ops->available(gpu);
}

void fv_gpu_device_handles(const FvDevice *device, FvDeviceHandles *handles)
{
    const GpuDevice *gpu = (const GpuDevice *)device;
    handles->kind = gpu->gpu->ops->kind;
    handles->index = gpu->gpu->index;
    gpu->gpu->ops->handles(gpu->gpu, handles);
}

void fv_gpu_device_close(FvDevice **device)
{
    GpuDevice *gpu = (GpuDevice *)*device;
    *device = NULL;
    if (!gpu)
        return;
    /* A session that failed half way has batches in flight: nothing may be freed that the GPU still uses. */
    for (int i = 0; gpu->batches && i < gpu->used; i++) {
        const Batch *batch = &gpu->batches[(gpu->first + i) % gpu->batch_count];
        if (batch->state == BATCH_RUNNING)
            fv_gpu_settle(gpu->gpu, FV_GPU_COMPUTE, false, batch->ticket);
    }
    fv_gpu_frames_close(&gpu->frames);
    for (int side = 0; side < 2; side++)
        fv_gpu_feed_close(&gpu->feeds[side]);
    fv_gpu_store_close(&gpu->store);
    free_areas(gpu);
    free(gpu->batches);
    if (!gpu->borrowed)
        gpu->gpu->ops->close(&gpu->gpu);
    free(gpu);
}
