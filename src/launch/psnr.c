/* PSNR on GPUs. */
#include "feature/psnr.h"

#include "gpu/launches.h"
#include "kernel/psnr.h"

extern const FvKernel fv_kernel_psnr_sse8, fv_kernel_psnr_sse16;
static const FvKernel *const kernels[] = {&fv_kernel_psnr_sse8, &fv_kernel_psnr_sse16, NULL};

/* Divides the planes into workgroups. Pointers in the result stay 0. */
static FvPsnrArgs split(const FvPsnr *psnr)
{
    FvPsnrArgs args = {0};
    for (int plane = 0; plane < 3; plane++) {
        args.first[plane] = args.groups;
        if (plane >= psnr->planes || !psnr->width[plane] || !psnr->height[plane])
            continue;
        args.width[plane] = psnr->width[plane];
        args.height[plane] = psnr->height[plane];
        args.rows[plane] = FV_PSNR_GROUP_SAMPLES / psnr->width[plane];
        if (args.rows[plane] > 16)
            args.rows[plane] = 16;
        args.groups += (psnr->height[plane] + args.rows[plane] - 1) / args.rows[plane];
    }
    return args;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    plan->result_bytes = (size_t)split(run->state).groups * 2 * sizeof(uint32_t);
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvPsnrArgs args = split(run->state);
    args.pairs = batch->pairs;
    args.sums = batch->results;
    args.sums_stride = batch->result_stride;
    fv_gpu_launch(batch, run->dis.depth == 8 ? &fv_kernel_psnr_sse8 : &fv_kernel_psnr_sse16, &args,
                  (uint32_t)args.groups, 1);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvPsnr *psnr = run->state;
    FvPsnrArgs args = split(psnr);
    const uint32_t *part = result;
    uint64_t *band = work->frame;
    for (int plane = 0; plane < psnr->planes; plane++) {
        uint64_t sum = 0;
        int end = plane == 2 ? args.groups : args.first[plane + 1];
        for (int group = args.first[plane]; group < end; group++)
            sum += ((uint64_t)part[2 * group + 1] << 16) + part[2 * group];
        for (int i = 0; i < psnr->bands[plane]; i++)
            *band++ = i ? 0 : sum;
    }
}

const FvGpuFeature fv_psnr_gpu = {
    .kernels = kernels,
    .plan = plan,
    .record = record,
    .results = results,
};
