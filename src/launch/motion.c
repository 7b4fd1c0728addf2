/* VMAF's motion on GPUs. */
#include "feature/motion.h"

#include "gpu/launches.h"
#include "kernel/motion.h"

extern const FvKernel fv_kernel_motion8, fv_kernel_motion16;
static const FvKernel *const kernels[] = {&fv_kernel_motion8, &fv_kernel_motion16, NULL};
static const FvGpuTrial trials[] = {
    {.options = "motion_five_frame_window=true", .width = 130, .height = 70},
    {0},
};

static uint32_t across(const FvFeatureInstance *run)
{
    return fv_gpu_groups(run->dis.width, FV_MOTION_COLUMNS);
}

static uint32_t down(const FvFeatureInstance *run)
{
    return fv_gpu_groups(run->dis.height, FV_MOTION_ROWS);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    plan->result_bytes = (size_t)across(run) * down(run) * sizeof(uint32_t);
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvMotionArgs args = {.pairs = batch->pairs,
                         .sums = batch->results,
                         .sums_stride = batch->result_stride,
                         .width = run->dis.width,
                         .height = run->dis.height,
                         .depth = run->dis.depth,
                         .behind = run->behind};
    fv_gpu_launch(batch, run->dis.depth == 8 ? &fv_kernel_motion8 : &fv_kernel_motion16, &args, across(run),
                  down(run));
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const uint32_t *sum = result;
    uint64_t *sad = work->frame, total = 0;
    for (uint32_t i = 0; i < across(run) * down(run); i++)
        total += sum[i];
    for (size_t i = 0; i < run->frame_bytes / sizeof *sad; i++)
        sad[i] = i ? 0 : total;
}

const FvGpuFeature fv_motion_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .record = record,
    .results = results,
};
