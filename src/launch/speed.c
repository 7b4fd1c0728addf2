/*
 * SpEED on GPUs. A device without doubles computes only the operating planes, and the host computes the rest, with
 * the same bits.
 */
#include <string.h>

#include "arith/scalar.h"

#include "arith/speed.h"
#include "feature/speed.h"
#include "gpu/launches.h"
#include "kernel/speed.h"

extern const FvKernel fv_kernel_speed_decimate8, fv_kernel_speed_decimate16, fv_kernel_speed_high_pass,
    fv_kernel_speed_means, fv_kernel_speed_covariance, fv_kernel_speed_solve, fv_kernel_speed_blocks,
    fv_kernel_speed_score;
static const FvKernel *const kernels[] = {
    &fv_kernel_speed_decimate8, &fv_kernel_speed_decimate16, &fv_kernel_speed_high_pass,
    &fv_kernel_speed_means,     &fv_kernel_speed_covariance, &fv_kernel_speed_solve,
    &fv_kernel_speed_blocks,    &fv_kernel_speed_score,      NULL,
};

#define WINDOW_THREADS 256
#define BLOCK_THREADS 64
#define COVARIANCE_GROUPS ((FV_SPEED_N + 7) / 8)

static int sides(const FvSpeed *speed)
{
    return 2 * speed->planes;
}

static size_t plane_floats(const FvSpeed *speed)
{
    return (size_t)speed->shape.columns * speed->shape.rows;
}

/* Returns the offset of the operating planes in a pair's working memory. */
static size_t planes_offset(const FvSpeed *speed, const FvSpeedConstants *constants)
{
    return FV_ROUND_UP((size_t)sides(speed) * (size_t)constants->side_step * sizeof(float), 256);
}

static void lay_out(const FvSpeed *speed, FvSpeedConstants *to)
{
    const struct {
        fv_i32 *offset;
        size_t floats;
    } parts[] = {
        {&to->low, plane_floats(speed)},
        {&to->mean, FV_SPEED_N},
        {&to->covariance, FV_SPEED_N * FV_SPEED_N},
        {&to->diagonal, FV_SPEED_N},
        {&to->q, FV_SPEED_N * FV_SPEED_N},
        {&to->r, FV_SPEED_N * FV_SPEED_N},
        {&to->singular, 2},
        {&to->variance, (size_t)speed->shape.blocks},
        {&to->entropy, (size_t)speed->shape.blocks},
    };
    size_t at = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i].offset = (fv_i32)at;
        at += FV_ROUND_UP(parts[i].floats, 64);
    }
    to->side_step = (fv_i32)at;
    size_t across = (size_t)speed->resize.taps * speed->resize.width;
    size_t down = (size_t)speed->resize.taps * speed->resize.height;
    to->across_index = sizeof *to / 4;
    to->across_weight = to->across_index + (fv_i32)across;
    to->down_index = to->across_weight + (fv_i32)across;
    to->down_weight = to->down_index + (fv_i32)down;
}

static FvSpeedConstants constants_of(const FvFeatureInstance *run)
{
    const FvSpeed *speed = run->state;
    const FvSpeedShape *shape = &speed->shape;
    FvSpeedConstants to = {.width = shape->width,
                           .height = shape->height,
                           .scaled_width = shape->scaled_width,
                           .scaled_height = shape->scaled_height,
                           .columns = shape->columns,
                           .rows = shape->rows,
                           .across = shape->across,
                           .blocks = shape->blocks,
                           .window_width = shape->window_width,
                           .samples = shape->window_width * shape->window_height,
                           .taps = shape->taps,
                           .local_taps = shape->local_taps,
                           .first_plane = speed->first_plane,
                           .temporal = speed->temporal,
                           .use_ref_diff = speed->use_ref_diff,
                           .level = 1 << (run->dis.depth - 1),
                           .scale = 1 / (float)(1 << (run->dis.depth - 8)),
                           .resize_taps = speed->resized ? speed->resize.taps : 0,
                           .resize_divide = speed->resize.divide,
                           .weight_mode = shape->weight_mode,
                           .sigma = shape->sigma,
                           .base = speed->base};
    memcpy(to.tap, shape->tap, sizeof to.tap);
    memcpy(to.down_tap, shape->down_tap, sizeof to.down_tap);
    memcpy(to.local_tap, shape->local_tap, sizeof to.local_tap);
    lay_out(speed, &to);
    return to;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    FvSpeed *speed = run->state;
    FvSpeedConstants constants = constants_of(run);
    size_t planes = (size_t)sides(speed) * plane_floats(speed) * sizeof(float);
    if (constants.side_step > 1 << 26) {
        snprintf(why, size, "the picture is too large for its kernels");
        return false;
    }
    speed->on_gpu = plan->float64;
    snprintf(why, size, "%s",
             plan->float64 ? ""
                           : "the device has no float64; it reduces the pictures and the CPU does the "
                             "rest, with the same result");
    plan->work_bytes = planes_offset(speed, &constants) + (plan->float64 ? planes : 0);
    plan->result_bytes = plan->float64 ? FV_SPEED_PLANES * sizeof(FvSpeedScore) : planes;
    plan->constant_bytes = (size_t)constants.down_weight * 4 + (size_t)speed->resize.taps * speed->resize.height * 4;
    return true;
}

static void write_constants(const FvFeatureInstance *run, void *to)
{
    const FvSpeed *speed = run->state;
    const FvSpeedPrescale *resize = &speed->resize;
    FvSpeedConstants constants = constants_of(run);
    size_t across = (size_t)resize->taps * resize->width * 4, down = (size_t)resize->taps * resize->height * 4;
    memcpy(to, &constants, sizeof constants);
    if (!speed->resized)
        return;
    memcpy((fv_u32 *)to + constants.across_index, resize->across.index, across);
    memcpy((fv_u32 *)to + constants.across_weight, resize->across.weight, across);
    memcpy((fv_u32 *)to + constants.down_index, resize->down.index, down);
    memcpy((fv_u32 *)to + constants.down_weight, resize->down.weight, down);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvSpeed *speed = run->state;
    const FvSpeedShape *shape = &speed->shape;
    FvSpeedConstants constants = constants_of(run);
    FvSpeedArgs args = {.pairs = batch->pairs,
                        .constants = batch->constants,
                        .work = batch->work,
                        .planes = speed->on_gpu ? batch->work + planes_offset(speed, &constants) : batch->results,
                        .results = batch->results,
                        .work_stride = batch->work_stride,
                        .planes_stride = speed->on_gpu ? batch->work_stride : batch->result_stride,
                        .results_stride = batch->result_stride};
    const struct {
        const FvKernel *kernel;
        uint32_t x, y;
    } steps[] = {
        {run->dis.depth == 8 ? &fv_kernel_speed_decimate8 : &fv_kernel_speed_decimate16,
         (uint32_t)shape->rows * fv_gpu_groups(shape->columns, WINDOW_THREADS / shape->taps), (uint32_t)sides(speed)},
        {&fv_kernel_speed_high_pass, fv_gpu_groups(shape->columns * shape->rows, WINDOW_THREADS),
         (uint32_t)sides(speed)},
        {&fv_kernel_speed_means, 1, (uint32_t)sides(speed)},
        {&fv_kernel_speed_covariance, COVARIANCE_GROUPS, (uint32_t)sides(speed)},
        {&fv_kernel_speed_solve, 2, (uint32_t)sides(speed)},
        {&fv_kernel_speed_blocks, fv_gpu_groups(shape->blocks, BLOCK_THREADS), (uint32_t)sides(speed)},
        {&fv_kernel_speed_score, (uint32_t)speed->planes, 1},
    };
    size_t count = speed->on_gpu ? sizeof steps / sizeof *steps : 2;
    for (size_t i = 0; i < count; i++) {
        if (i)
            fv_gpu_barrier(batch);
        fv_gpu_launch(batch, steps[i].kernel, &args, steps[i].x, steps[i].y);
    }
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvSpeed *speed = run->state;
    const FvSpeedShape *shape = &speed->shape;
    if (speed->on_gpu) {
        memcpy(work->frame, result, (size_t)speed->planes * sizeof(FvSpeedScore));
        return;
    }
    const float *from = result;
    for (int side = 0; side < sides(speed); side++) {
        FvSpeedPlace place = fv_speed_place(speed, work->frame, side);
        for (int y = 0; y < shape->rows; y++, from += shape->columns)
            memcpy(place.plane + y * shape->stride, from, (size_t)shape->columns * sizeof(float));
    }
    fv_speed_finish(run, work);
}

const FvGpuFeature fv_speed_gpu = {
    .kernels = kernels,
    .pairs = 32,
    .plan = plan,
    .constants = write_constants,
    .record = record,
    .results = results,
};
