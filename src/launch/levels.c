/* Levels and illegal colours on GPUs. */
#include <string.h>

#include "launch/check.h"

extern const FvKernel fv_kernel_levels8, fv_kernel_levels16;
static const FvKernel *const kernels[] = {&fv_kernel_levels8, &fv_kernel_levels16, NULL};

/* Words of a side: extremes and counts, then the count of each code. */
static size_t words(const FvFeatureInstance *run)
{
    return FV_CHECK_LEVELS_WORDS + ((size_t)1 << run->dis.depth);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, words(run));
    plan->constant_bytes = FV_CHECK_SIDES * sizeof(FvCheckVideo);
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvLevels *levels = run->state;
    for (int side = 0; side < levels->plan.sides; side++)
        ((FvCheckVideo *)memory)[side] = fv_check_video(run, side, &levels->light[side]);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvCheckArgs args = fv_check_split(run, run->dis.width, FV_CHECK_BLOCK);
    args.videos = batch->constants;
    fv_check_clear(batch);
    fv_check_launch(run, batch, kernels, args, args.first[1], words(run));
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvCheckPlan *plan = run->state;
    for (int side = 0; side < plan->sides; side++) {
        const uint32_t *part = (const uint32_t *)result + (size_t)side * words(run);
        FvLevelsBand *band = fv_levels_band(run, work, fv_check_first_band(run, side));
        for (int i = 0; i < 2; i++)
            band->chroma[i] = (FvCheckLevels){.few = i ? 0 : part[FV_CHECK_LEVELS_RESERVED],
                                              .least = 65535 - (int)part[i],
                                              .most = (int)part[2 + i]};
        band->illegal = fv_check_format(run, side)->range == FV_RANGE_FULL ? 0 : part[FV_CHECK_LEVELS_ILLEGAL];
        memcpy(band->codes, part + FV_CHECK_LEVELS_WORDS, sizeof(uint32_t) << run->dis.depth);
    }
}

const FvGpuFeature fv_levels_gpu = {
    .kernels = kernels,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
