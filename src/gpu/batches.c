/*
 * Submits pairs to a GPU. Pairs are gathered into batches, so that small frames fill the GPU and pairs share the cost
 * of a launch. While one batch computes, the frames of the next batch are uploaded.
 */
#include "gpu/device.h"

#include <string.h>

#include "base/error.h"
#include "codec/prores/prores.h"
#include "gpu/gpu_device.h"
#include "picture/frame.h"

/* Returns a pair's place in host memory. All pairs of one variant of a batch are contiguous. */
static FvPair *host_pair(const FvGpuDevice *gpu, int batch, int variant, int i)
{
    return (FvPair *)gpu->host_pairs.host + ((size_t)batch * FV_GPU_VARIANTS + (size_t)variant) * gpu->batch_pairs +
           i;
}

/* Places skipped frames after the scored ones, so that instances that ignore skipped frames launch fewer pairs. */
static void place_pairs(FvGpuDevice *gpu, int index)
{
    FvTaskBatch *batch = &gpu->batches[index];
    int scored = 0, skipped = batch->scored;
    for (int i = 0; i < batch->count; i++) {
        batch->place[i] = batch->tasks[i]->skipped ? skipped++ : scored++;
        for (int variant = 0; variant < FV_GPU_VARIANTS; variant++)
            *host_pair(gpu, index, variant, batch->place[i]) = batch->pairs[variant][i];
    }
}

static FvGpuBatch view_of(const FvGpuDevice *gpu, const FvTaskBatch *batch, int r)
{
    const FvFeatureInstance *run = &gpu->runs[r];
    FvGpuBatch view = {
        .gpu = gpu->gpu,
        .count = run->every_frame ? batch->count : batch->scored,
        .pairs = gpu->pairs.address + (run->ycbcr_variant ? sizeof(FvPair) * (size_t)gpu->batch_pairs : 0),
        .constants = gpu->constants.address + gpu->constant_offset[r],
        .lasting = gpu->lasting.address + gpu->lasting_offset[r],
        .order = batch->place,
        .first = batch->tasks[0]->index,
        .scored = batch->scored,
        .work = gpu->work.address + gpu->work_offset[r],
        .results = gpu->results.address + gpu->result_offset[r],
        .work_stride = (uint32_t)(gpu->plan[r].work_bytes / 256),
        .result_stride = (uint32_t)(gpu->plan[r].result_bytes / 256),
        .memory = {&gpu->work, &gpu->results, &gpu->maps},
    };
    for (int i = 0; i < run->input_count; i++) {
        int from = fv_instance_input(gpu->runs, r, i);
        view.input[i].work = gpu->work.address + gpu->work_offset[from];
        view.input[i].results = gpu->results.address + gpu->result_offset[from];
        view.input[i].work_stride = (uint32_t)(gpu->plan[from].work_bytes / 256);
        view.input[i].result_stride = (uint32_t)(gpu->plan[from].result_bytes / 256);
    }
    for (int i = 0; i < batch->count; i++)
        for (int m = 0; batch->tasks[i]->map[r] && m < run->feature->map_count; m++)
            if (batch->tasks[i]->map[r][m].data && gpu->placement[r] != FV_PLACED_WITHOUT_MAPS) {
                view.map[m] = gpu->maps.address + gpu->map_offset[r][m];
                view.map_stride[m] = (uint32_t)(gpu->map_pair_bytes[r][m] / 256);
            }
    return view;
}

/* Copies to the host the maps that frames of the batch requested. */
static void copy_maps(FvGpuDevice *gpu, int index)
{
    const FvTaskBatch *batch = &gpu->batches[index];
    for (int i = 0; i < batch->count; i++)
        for (int r = 0; r < gpu->run_count; r++)
            for (int m = 0;
                 gpu->placement[r] == FV_PLACED && batch->tasks[i]->map[r] && m < gpu->runs[r].feature->map_count;
                 m++) {
                size_t bytes = gpu->map_pair_bytes[r][m];
                size_t at = gpu->map_offset[r][m] + bytes * (size_t)batch->place[i];
                if (batch->tasks[i]->map[r][m].data)
                    gpu->gpu->ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->host_maps,
                                        gpu->map_bytes * (size_t)index + at, &gpu->maps, at, bytes);
            }
}

static FvStatus submit_batch(FvGpuDevice *gpu, int index, FvError *error)
{
    const FvGpuOps *ops = gpu->gpu->ops;
    FvTaskBatch *batch = &gpu->batches[index];
    place_pairs(gpu, index);
    FvStatus status = ops->begin(gpu->gpu, FV_GPU_COMPUTE, error);
    for (int variant = 0; variant < FV_GPU_VARIANTS && !status; variant++)
        if (gpu->variant[variant].frames)
            status = fv_gpu_frames_flush(gpu->variant[variant].frames, error);
    if (status)
        return status;
    for (int variant = 0; variant < FV_GPU_VARIANTS; variant++)
        if (gpu->variant[variant].frames)
            ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->pairs, sizeof(FvPair) * (size_t)(variant * gpu->batch_pairs),
                      &gpu->host_pairs, (size_t)((uint8_t *)host_pair(gpu, index, variant, 0) - gpu->host_pairs.host),
                      sizeof(FvPair) * (size_t)batch->count);
    ops->barrier(gpu->gpu, FV_GPU_COMPUTE);
    for (int r = 0; r < gpu->run_count; r++) {
        if (!gpu->placement[r])
            continue;
        FvGpuBatch view = view_of(gpu, batch, r);
        if (gpu->runs[r].input_count)
            ops->barrier(gpu->gpu, FV_GPU_COMPUTE);
        if (view.count)
            gpu->runs[r].feature->gpu->record(&gpu->runs[r], &view);
    }
    ops->barrier(gpu->gpu, FV_GPU_COMPUTE);
    ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->host_results, (gpu->result_bytes + 256) * (size_t)index, &gpu->results,
              0, gpu->result_bytes + 256);
    copy_maps(gpu, index);
    return ops->submit(gpu->gpu, FV_GPU_COMPUTE, &batch->ticket, error);
}

/* Reports the first failure again. */
static FvStatus fail_again(const FvGpuDevice *gpu, FvError *error)
{
    return fv_fail(error, fv_failure_of(&gpu->failure), "%s", gpu->failure.message);
}

/* Starts the batch that is being filled. If that fails, the batch and all later ones are lost. */
static FvStatus launch_batch(FvGpuDevice *gpu, FvError *error)
{
    FvTaskBatch *batch = &gpu->batches[gpu->filling];
    FvStatus status = gpu->failure.status;
    if (!status)
        status = submit_batch(gpu, gpu->filling, &gpu->failure);
    gpu->filling = -1;
    batch->state = status ? FV_BATCH_FAILED : FV_BATCH_RUNNING;
    return status ? fail_again(gpu, error) : FV_OK;
}

#define PAIR_FRAMES 6
#define TASK_FRAMES (FV_GPU_VARIANTS * PAIR_FRAMES)

static FvFrame *in_variant(FvFrame *frame, int variant)
{
    return variant ? fv_frame_ycbcr(frame) : frame;
}

/*
 * Lists the frames of a task that this device reads or decodes, in the order of FvPair for each variant; NULL for the
 * others.
 */
static void frames_of(const FvGpuDevice *gpu, const FvTask *task, FvFrame *frames[TASK_FRAMES])
{
    FvFrame *ref[] = {task->ref, task->prev_ref[0], task->prev_ref[1]};
    FvFrame *dis[] = {task->dis, task->prev_dis[0], task->prev_dis[1]};
    for (int variant = 0; variant < FV_GPU_VARIANTS; variant++, frames += PAIR_FRAMES) {
        const unsigned reads = gpu->variant[variant].frames ? gpu->variant[variant].reads[task->skipped] : 0;
        for (int k = 0; k < PAIR_FRAMES / 2; k++) {
            bool near = k <= gpu->variant[variant].behind[task->skipped], packets = !variant && !k;
            frames[2 * k] = (near && (reads & FV_READS_REFERENCE)) || (packets && fv_frame_packet(*ref))
                                ? in_variant(ref[k], variant)
                                : NULL;
            frames[2 * k + 1] = (near && (reads & FV_READS_DISTORTED)) || (packets && fv_frame_packet(*dis))
                                    ? in_variant(dis[k], variant)
                                    : NULL;
        }
    }
}

static FvGpuFrames *holder(const FvGpuDevice *gpu, int frame)
{
    return gpu->variant[frame / PAIR_FRAMES].frames;
}

/* Releases the frames of a finished task. */
static void release_frames(FvGpuDevice *gpu, const FvTask *task)
{
    FvFrame *frames[TASK_FRAMES];
    frames_of(gpu, task, frames);
    for (int i = 0; i < TASK_FRAMES; i++)
        if (frames[i]) {
            fv_gpu_frames_decoded(holder(gpu, i), frames[i]);
            fv_gpu_frames_release(holder(gpu, i), frames[i]);
        }
}

/* Waits for a batch and releases its frames; its results stay until each task has fetched them. */
static FvStatus finish_batch(FvGpuDevice *gpu, FvTaskBatch *batch, FvError *error)
{
    if (batch->state == FV_BATCH_DONE)
        return FV_OK;
    if (batch->state == FV_BATCH_FILLING)
        launch_batch(gpu, NULL);
    if (batch->state == FV_BATCH_RUNNING) {
        FvError failure;
        FvStatus status = gpu->gpu->ops->wait(gpu->gpu, FV_GPU_COMPUTE, batch->ticket, &failure);
        if (status && !gpu->failure.status)
            gpu->failure = failure;
        batch->state = status ? FV_BATCH_FAILED : FV_BATCH_DONE;
    }
    if (batch->state == FV_BATCH_FAILED)
        return fail_again(gpu, error);
    for (int i = 0; i < batch->count; i++)
        release_frames(gpu, batch->tasks[i]);
    return FV_OK;
}

/* Makes room for frames: finishes the oldest batch that still holds some. FV_ERROR_DEVICE if there is none. */
static FvStatus make_room(FvGpuDevice *gpu, FvError *error)
{
    for (int i = 0; i < gpu->used; i++) {
        FvTaskBatch *batch = &gpu->batches[(gpu->first + i) % gpu->batch_count];
        if (batch->state != FV_BATCH_DONE && batch->count)
            return finish_batch(gpu, batch, error);
    }
    return fv_fail(error, FV_FAIL_DEVICE_MEMORY, "%s:%d (%s) has no room for one frame pair", gpu->gpu->ops->kind,
                   gpu->gpu->index, gpu->gpu->info.title);
}

/* Holds all frames of a task. If there is no room, holds none and returns FV_END. */
static FvStatus hold_frames(FvGpuDevice *gpu, FvTask *task, FvPair pair[FV_GPU_VARIANTS], FvError *error)
{
    FvFrame *frames[TASK_FRAMES];
    frames_of(gpu, task, frames);
    for (int i = 0; i < TASK_FRAMES; i++) {
        FvPair *own = &pair[i / PAIR_FRAMES];
        FvPlanes *planes[PAIR_FRAMES] = {&own->ref,      &own->dis,       &own->prev_ref,
                                         &own->prev_dis, &own->prev2_ref, &own->prev2_dis};
        FvStatus status = FV_OK;
        *planes[i % PAIR_FRAMES] = (FvPlanes){0};
        /* Both variants use the same upload queue, so the other variant must submit its uploads first. */
        for (int variant = 0; variant < FV_GPU_VARIANTS && frames[i] && !status; variant++)
            if (gpu->variant[variant].frames && gpu->variant[variant].frames != holder(gpu, i))
                status = fv_gpu_frames_submit(gpu->variant[variant].frames, error);
        if (!status && frames[i])
            status = fv_gpu_frames_acquire(holder(gpu, i), frames[i], planes[i % PAIR_FRAMES], error);
        if (!status)
            continue;
        while (i-- > 0)
            if (frames[i])
                fv_gpu_frames_release(holder(gpu, i), frames[i]);
        return status;
    }
    return FV_OK;
}

/* Marks the frames that no later task will need as previous frames. */
static void spend_frames(FvGpuDevice *gpu, const FvTask *task)
{
    for (int variant = 0; variant < FV_GPU_VARIANTS; variant++) {
        const int behind = gpu->variant[variant].behind[0];
        FvFrame *last[] = {behind ? task->prev_ref[behind - 1] : task->ref,
                           behind ? task->prev_dis[behind - 1] : task->dis};
        for (int side = 0; side < 2 && gpu->variant[variant].frames; side++)
            if (in_variant(last[side], variant))
                fv_gpu_frames_mark_last_use(gpu->variant[variant].frames, in_variant(last[side], variant));
    }
}

FvStatus fv_gpu_device_submit(FvDevice *device, FvTask *task, FvError *error)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    if (!gpu->batches)
        return FV_OK;
    if (gpu->failure.status)
        return fail_again(gpu, error);
    FvPair pair[FV_GPU_VARIANTS];
    FvStatus status;
    while ((status = hold_frames(gpu, task, pair, error)) == FV_END)
        if ((status = make_room(gpu, error)))
            break;
    if (status)
        return status;
    if (gpu->filling < 0) {
        gpu->filling = (gpu->first + gpu->used++) % gpu->batch_count;
        gpu->batches[gpu->filling] = (FvTaskBatch){.state = FV_BATCH_FILLING};
    }
    FvTaskBatch *batch = &gpu->batches[gpu->filling];
    for (int variant = 0; variant < FV_GPU_VARIANTS; variant++)
        batch->pairs[variant][batch->count] = pair[variant];
    batch->tasks[batch->count++] = task;
    batch->scored += !task->skipped;
    batch->unread++;
    if (device->reads_once) {
        spend_frames(gpu, task);
        device->transferring = 0;
        for (int variant = 0; variant < FV_GPU_VARIANTS; variant++)
            device->transferring +=
                gpu->variant[variant].frames ? fv_gpu_frames_waited(gpu->variant[variant].frames) : 0;
    }
    return batch->count == gpu->batch_pairs ? launch_batch(gpu, error) : FV_OK;
}

static void take_maps(const FvGpuDevice *gpu, int batch, int place, const FvTask *task, int r)
{
    const FvFeatureInstance *run = &gpu->runs[r];
    for (int m = 0; task->map[r] && m < run->feature->map_count; m++) {
        const FvMapPlane *plane = &task->map[r][m];
        size_t row = (size_t)run->map[m].width * sizeof(float);
        const uint8_t *from = gpu->host_maps.host + gpu->map_bytes * (size_t)batch + gpu->map_offset[r][m] +
                              gpu->map_pair_bytes[r][m] * (size_t)place;
        for (int y = 0; plane->data && y < run->map[m].height; y++)
            memcpy(plane->data + y * plane->stride, from + (size_t)y * row, row);
    }
}

static void take_results(FvGpuDevice *gpu, int batch, int place, const FvTask *task)
{
    const uint8_t *results = gpu->host_results.host + (gpu->result_bytes + 256) * (size_t)batch;
    for (int r = 0; r < gpu->run_count; r++) {
        const FvFeatureInstance *run = &gpu->runs[r];
        if (!fv_task_has_results(task, r, gpu->placement[r]) || (task->skipped && !run->every_frame))
            continue;
        FvWork work = fv_task_work(task, gpu->runs, r);
        run->feature->gpu->results(run, &work,
                                   results + gpu->result_offset[r] + gpu->plan[r].result_bytes * (size_t)place);
        take_maps(gpu, batch, place, task, r);
    }
}

FvStatus fv_gpu_device_wait(FvDevice *device, FvTask *task, FvError *error)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    if (!gpu->batches)
        return FV_OK;
    int index = gpu->first, i = 0;
    FvTaskBatch *batch = &gpu->batches[index];
    while (i < batch->count && batch->tasks[i] != task)
        i++;
    if (!gpu->used || i == batch->count)
        return fv_fail(error, FV_ERROR_DEVICE, "frame %lld was never submitted", (long long)task->number);
    FvStatus status = finish_batch(gpu, batch, error);
    FvFrame *frames[TASK_FRAMES];
    frames_of(gpu, task, frames);
    for (int k = 0; k < TASK_FRAMES && !status; k++) {
        /* A damaged frame that the device decoded must not get a score. */
        const FvFramePlace *place = frames[k] ? fv_frame_place(frames[k]) : NULL;
        if (place && place->packet)
            status = fv_prores_check_packet(place->packet, error);
    }
    if (!status)
        take_results(gpu, index, batch->place[i], task);
    if (--batch->unread == 0) {
        batch->state = FV_BATCH_FREE;
        gpu->first = (gpu->first + 1) % gpu->batch_count;
        gpu->used--;
    }
    return status;
}
