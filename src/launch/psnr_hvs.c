/* PSNR-HVS on GPUs. */
#include "feature/psnr_hvs.h"

#include <string.h>

#include "gpu/launches.h"
#include "kernel/psnr_hvs.h"

extern const FvKernel fv_kernel_psnr_hvs_y8, fv_kernel_psnr_hvs_cb8, fv_kernel_psnr_hvs_cr8;
extern const FvKernel fv_kernel_psnr_hvs_y16, fv_kernel_psnr_hvs_cb16, fv_kernel_psnr_hvs_cr16;
extern const FvKernel fv_kernel_psnr_hvs_gains, fv_kernel_psnr_hvs_sum;

static const FvKernel *const block_kernels[2][3] = {
    {&fv_kernel_psnr_hvs_y8, &fv_kernel_psnr_hvs_cb8, &fv_kernel_psnr_hvs_cr8},
    {&fv_kernel_psnr_hvs_y16, &fv_kernel_psnr_hvs_cb16, &fv_kernel_psnr_hvs_cr16},
};

static const FvKernel *const kernels[] = {
    &fv_kernel_psnr_hvs_y8,    &fv_kernel_psnr_hvs_cb8,  &fv_kernel_psnr_hvs_cr8,
    &fv_kernel_psnr_hvs_y16,   &fv_kernel_psnr_hvs_cb16, &fv_kernel_psnr_hvs_cr16,
    &fv_kernel_psnr_hvs_gains, &fv_kernel_psnr_hvs_sum,  NULL,
};

/* Divides the planes and the working memory, which starts at address `work`. Returns the memory's size. */
static uint64_t divide(const FvHvs *hvs, uint64_t work, FvHvsArgs *args)
{
    *args = (FvHvsArgs){0};
    int groups = 0;
    for (int i = 0; i < 3; i++) {
        args->columns[i] = hvs->plane[i].columns;
        args->blocks[i] = hvs->plane[i].columns * hvs->plane[i].rows;
        args->first[i] = groups;
        groups += (args->blocks[i] + FV_HVS_GROUP - 1) / FV_HVS_GROUP;
    }
    args->first[3] = groups;
    uint64_t count = (uint64_t)groups, blocks = count * FV_HVS_GROUP, at = work;
    args->terms = at;
    at += blocks * 64 * sizeof(float);
    args->block_sums = at;
    at += blocks * sizeof(float);
    args->block_gains = at;
    at += blocks * FV_HVS_GAINS * sizeof(uint32_t);
    args->group_sums = at;
    at += count * sizeof(float);
    args->group_gains = at;
    at += count * FV_HVS_GROUP_WORDS * sizeof(uint32_t);
    return at - work;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    FvHvsArgs args;
    plan->work_bytes = divide(run->state, 0, &args);
    plan->result_bytes = 3 * sizeof(float);
    bool small = args.first[3] < INT32_MAX / (64 * FV_HVS_GROUP);
    if (!small)
        snprintf(why, size, "the picture has more blocks than its kernels can number");
    return small;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvHvsArgs args;
    divide(run->state, batch->work, &args);
    args.pairs = batch->pairs;
    args.sums = batch->results;
    args.work_stride = batch->work_stride;
    args.result_stride = batch->result_stride;
    for (int i = 0; i < 3; i++)
        fv_gpu_launch(batch, block_kernels[run->dis.depth > 8][i], &args,
                      (uint32_t)(args.first[i + 1] - args.first[i]), 1);
    fv_gpu_barrier(batch);
    fv_gpu_launch(batch, &fv_kernel_psnr_hvs_gains, &args, (uint32_t)args.first[3], 1);
    fv_gpu_barrier(batch);
    fv_gpu_launch(batch, &fv_kernel_psnr_hvs_sum, &args, 3, 1);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    FvHvsFrame *frame = work->frame;
    memcpy(frame->sum, result, sizeof frame->sum);
}

const FvGpuFeature fv_psnr_hvs_gpu = {
    .kernels = kernels,
    .plan = plan,
    .record = record,
    .results = results,
};
