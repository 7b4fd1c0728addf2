/* A metric on a GPU against the same metric in scalar C, on generated frames. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "frame.h"
#include "gpu/batches.h"
#include "gpu/selftest.h"
#include "mem.h"

#define MAX_FRAMES 8

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

static uint32_t band(uint32_t peak, int x, int y)
{
    uint32_t tall = (uint32_t)x / 190 % 2;
    return (peak >> 3) + (uint32_t)(x / 23 + (tall ? 0 : y / 17 + (x + y) / 50)) % 9 * (1 + tall);
}

static uint32_t sample(int fill, uint32_t peak, int x, int y, uint64_t *state)
{
    uint32_t random = next_random(state);
    switch (fill) {
    case FV_GPU_NOISE:
        return random % (peak + 1);
    case FV_GPU_EXTREMES:
        return random & 1 ? peak : 0;
    case FV_GPU_SLOPES:
        return ((uint32_t)(x + 2 * y) * (peak + 1) / 512 + (random % 61 == 0)) % (peak + 1);
    case FV_GPU_BANDS:
        return band(peak, x, y);
    case FV_GPU_CELLS:
        if (x / 480 % 2)
            return band(peak, x, y);
        return (peak >> 3) + (((uint32_t)(x / 3) * 2654435761u ^ (uint32_t)(y / 6) * 2246822519u) >> 8) % 211;
    default:
        return ((uint32_t)(x / 16 * 37 + y / 16 * 101) % 7 * peak / 8 + random % 3) % (peak + 1);
    }
}

static FvStatus make_frame(FvFrame **frame, const FvFormat *format, int fill, uint64_t *state, const FvFrame *like,
                           FvError *error)
{
    FvStatus status = fv_frame_alloc(frame, format, error);
    if (status)
        return status;
    uint32_t peak = (1u << format->depth) - 1;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint8_t *row = (*frame)->data[plane] + y * (*frame)->stride[plane];
            const uint8_t *original = like ? like->data[plane] + y * like->stride[plane] : NULL;
            for (int x = 0; x < width; x++) {
                uint32_t value = sample(fill, peak, x, y, state);
                /* A distorted frame is the reference with errors in a part of it. */
                if (like && next_random(state) % 3)
                    value = format->depth == 8 ? original[x] : ((const uint16_t *)original)[x];
                if (format->depth == 8)
                    row[x] = (uint8_t)value;
                else
                    ((uint16_t *)row)[x] = (uint16_t)value;
            }
        }
    }
    return FV_OK;
}

static void run_stages(const FvRun *run, const FvWork *work)
{
    for (int s = 0; s < run->metric->stage_count; s++) {
        int jobs = run->metric->stages[s].jobs(run);
        for (int job = 0; job < jobs; job++)
            run->metric->stages[s].job(run, work, job);
    }
}

typedef struct Comparison {
    FvRun runs[2]; /* scalar C, GPU */
    FvTask tasks[MAX_FRAMES];
    void *frames_c[MAX_FRAMES], *scratch;
    FvDevice *device;
} Comparison;

static FvStatus prepare(Comparison *c, FvGpu *gpu, const FvMetric *metric, const void *options,
                        const FvFormat *format, int frames, FvError *error)
{
    for (int i = 0; i < 2; i++) {
        c->runs[i] = (FvRun){.metric = metric,
                             .options = options,
                             .ref = *format,
                             .dis = *format,
                             .has_reference = true,
                             .isa = FV_ISA_SCALAR,
                             .threads = 1};
        FvStatus status = metric->init(&c->runs[i], error);
        if (status)
            return status == FV_ERROR_MEMORY ? status : FV_END;
    }
    char why[256];
    FvGpuPlan plan = {.float64 = gpu->info.float64};
    if (!metric->gpu->plan(&c->runs[1], &plan, why, sizeof why))
        return FV_END;
    c->scratch = fv_alloc(c->runs[0].scratch_bytes);
    for (int t = 0; t < frames; t++) {
        c->frames_c[t] = fv_alloc(c->runs[0].frame_bytes);
        c->tasks[t].frame[0] = fv_alloc(c->runs[1].frame_bytes);
        if (!c->frames_c[t] || !c->tasks[t].frame[0] || !c->scratch)
            return fv_fail_memory(error, c->runs[0].frame_bytes);
    }
    static const bool mine[1] = {true};
    int in_flight = frames;
    FvStatus status = fv_gpu_device_borrow(&c->device, gpu, error);
    return status ? status : fv_gpu_device_start(c->device, &c->runs[1], mine, 1, &in_flight, error);
}

/* FV_ERROR_DEVICE is a failure; a difference is FV_OK and `why`. */
static FvStatus score_both(Comparison *c, int t, char *why, size_t size, FvError *error)
{
    const FvMetric *metric = c->runs[0].metric;
    FvTask *task = &c->tasks[t];
    FvStatus status = fv_gpu_device_wait(c->device, task, error);
    if (status)
        return status;
    FvWork work = {.ref = task->ref,
                   .dis = task->dis,
                   .prev_ref = metric->previous ? task->prev_ref : NULL,
                   .prev_dis = metric->previous ? task->prev_dis : NULL,
                   .index = t,
                   .scratch = c->scratch};
    double values[2][FV_MAX_OUTPUTS] = {{0}};
    work.frame = c->frames_c[t];
    run_stages(&c->runs[0], &work);
    status = metric->score(&c->runs[0], &work, values[0], error);
    work.frame = task->frame[0];
    if (!status)
        status = metric->score(&c->runs[1], &work, values[1], error);
    if (status)
        return status;
    for (int i = 0; i < metric->info.output_count; i++)
        if ((c->runs[0].outputs >> i & 1) && !metric->info.outputs[i].sequence &&
            memcmp(&values[0][i], &values[1][i], sizeof(double))) {
            char text[96];
            snprintf(why, size, "%s of frame %d (%s) is %.17g instead of %.17g", metric->info.outputs[i].name, t,
                     fv_format_describe(&c->runs[0].dis, text, sizeof text), values[1][i], values[0][i]);
            break;
        }
    return FV_OK;
}

FvGpuVerdict fv_gpu_compare(FvGpu *gpu, const FvMetric *metric, const void *options, const FvFormat *format,
                            uint64_t seed, int fill, int frames, char *why, size_t size)
{
    Comparison c = {0};
    FvError error = {0};
    uint64_t state = seed * 2654435761u + 88172645463325252u;
    if (frames > MAX_FRAMES)
        frames = MAX_FRAMES;
    *why = '\0';
    FvStatus status = prepare(&c, gpu, metric, options, format, frames, &error);
    for (int t = 0; t < frames && !status; t++) {
        FvTask *task = &c.tasks[t];
        task->index = task->number = t;
        status = make_frame(&task->ref, format, fill, &state, NULL, &error);
        if (!status)
            status = make_frame(&task->dis, format, fill, &state, task->ref, &error);
        if (t && metric->previous) {
            task->prev_ref = c.tasks[t - 1].ref;
            task->prev_dis = c.tasks[t - 1].dis;
        }
        if (!status)
            status = fv_gpu_device_submit(c.device, task, &error);
    }
    for (int t = 0; t < frames && !status && !*why; t++)
        status = score_both(&c, t, why, size, &error);
    FvGpuVerdict verdict = status == FV_END ? FV_GPU_REFUSES
                           : status         ? FV_GPU_UNTESTED
                           : *why           ? FV_GPU_DIFFERS
                                            : FV_GPU_SAME;
    if (verdict == FV_GPU_UNTESTED)
        snprintf(why, size, "%s", error.message);
    if (c.device)
        fv_gpu_device_close(&c.device);
    for (int i = 0; i < 2; i++)
        if (c.runs[i].state && metric->close)
            metric->close(&c.runs[i]);
    for (int t = 0; t < frames; t++) {
        fv_frame_unref(&c.tasks[t].ref);
        fv_frame_unref(&c.tasks[t].dis);
        free(c.tasks[t].frame[0]);
        free(c.frames_c[t]);
    }
    free(c.scratch);
    return verdict;
}
