/* Blockiness and noise on GPUs. */
#include <string.h>

#include "launch/check.h"

extern const FvKernel fv_kernel_texture8, fv_kernel_texture16;
static const FvKernel *const kernels[] = {&fv_kernel_texture8, &fv_kernel_texture16, NULL};

/* Words of the result of a workgroup, which follow the bins of its side: the noise, and two grids of eight. */
enum { WORDS = 2 + 2 * 8 };

static FvCheckArgs split(const FvFeatureInstance *run)
{
    return fv_check_split(run, FV_CHECK_THREADS, FV_CHECK_TALL);
}

static size_t words(const FvFeatureInstance *run)
{
    return FV_CHECK_BINS + (size_t)split(run).groups * WORDS;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, words(run));
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvCheckArgs args = split(run);
    fv_check_clear(batch);
    fv_check_launch(run, batch, kernels, args, args.groups, words(run));
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const int groups = split(run).groups;
    const uint32_t *part = result;
    memset(work->frame, 0, run->frame_bytes);
    for (int side = 0; side < fv_check_sides(run); side++) {
        FvTextureBand *band = (FvTextureBand *)work->frame + fv_check_first_band(run, side);
        memcpy(band->bin, part, sizeof band->bin);
        part += FV_CHECK_BINS;
        for (int group = 0; group < groups; group++, part += WORDS) {
            band->noise += fv_check_sum(part);
            for (int k = 0; k < 8; k++) {
                band->across[k] += part[2 + k];
                band->down[k] += part[10 + k];
            }
        }
    }
}

const FvGpuFeature fv_texture_gpu = {
    .kernels = kernels,
    .plan = plan,
    .record = record,
    .results = results,
};
