/* Black, spread and bars on GPUs. */
#include <string.h>

#include "launch/check.h"

extern const FvKernel fv_kernel_black8, fv_kernel_black16;
static const FvKernel *const kernels[] = {&fv_kernel_black8, &fv_kernel_black16, NULL};

/* Words of a side: levels, then the sum of each row and of each column. */
static size_t words(const FvFeatureInstance *run)
{
    return FV_CHECK_BLACK_WORDS + (size_t)run->dis.height + (size_t)run->dis.width;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, words(run));
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvCheckArgs args =
        fv_check_split(run, FV_CHECK_THREADS * (16 / fv_format_sample_bytes(&run->dis)), FV_CHECK_BLOCK);
    for (int side = 0; side < fv_check_sides(run); side++)
        args.limit[side] = fv_black_limit(run, side);
    fv_check_clear(batch);
    fv_check_launch(run, batch, kernels, args, args.groups, words(run));
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvCheckPlan *plan = run->state;
    for (int job = 0; job < plan->sides * plan->bands; job++)
        for (int plane = 0; plane < fv_format_planes(&run->dis); plane++)
            fv_black_band(run, work, job)->level[plane] = (FvCheckLevels){.least = 65535, .most = 0};
    for (int side = 0; side < plan->sides; side++) {
        const uint32_t *part = (const uint32_t *)result + (size_t)side * words(run);
        FvBlackBand *band = fv_black_band(run, work, fv_check_first_band(run, side));
        for (int plane = 0; plane < fv_format_planes(&run->dis); plane++)
            band->level[plane] = (FvCheckLevels){
                .few = plane ? 0 : part[0], .least = 65535 - (int)part[1 + plane], .most = (int)part[4 + plane]};
        part += FV_CHECK_BLACK_WORDS;
        fv_black_set_bars(run, work, side, part, part + run->dis.height);
    }
}

const FvGpuFeature fv_black_gpu = {
    .kernels = kernels,
    .plan = plan,
    .record = record,
    .results = results,
};
