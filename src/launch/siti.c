/* SI and TI on GPUs. */
#include <string.h>

#include "launch/check.h"

extern const FvKernel fv_kernel_siti8, fv_kernel_siti16;
static const FvKernel *const kernels[] = {&fv_kernel_siti8, &fv_kernel_siti16, NULL};

enum { WORDS = 2 * FV_CHECK_SITI_SUMS };

static FvCheckArgs split(const FvFeatureInstance *run)
{
    FvCheckArgs args = fv_check_split(run, FV_CHECK_SITI_WIDE, FV_CHECK_TALL);
    args.table_words = 1u << run->dis.depth;
    return args;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, (size_t)split(run).groups * WORDS);
    plan->constant_bytes = (size_t)fv_check_sides(run) * sizeof(int32_t) << run->dis.depth;
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvSiti *siti = run->state;
    for (int side = 0; side < siti->plan.sides; side++)
        memcpy((int32_t *)memory + ((size_t)side << run->dis.depth), siti->table[side],
               sizeof(int32_t) << run->dis.depth);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvCheckArgs args = split(run);
    args.table = batch->constants;
    fv_check_launch(run, batch, kernels, args, args.groups, (size_t)args.groups * WORDS);
}

static void add(FvCheckSums *sums, const uint32_t *words)
{
    sums->sum += (int64_t)fv_check_sum(words);
    sums->low += words[2];
    sums->high += words[3];
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const int groups = split(run).groups;
    const uint32_t *part = result;
    memset(work->frame, 0, run->frame_bytes);
    for (int side = 0; side < fv_check_sides(run); side++) {
        FvSitiBand *band = (FvSitiBand *)work->frame + fv_check_first_band(run, side);
        for (int group = 0; group < groups; group++, part += WORDS) {
            add(&band->si, part);
            add(&band->ti, part + WORDS / 2);
        }
    }
}

const FvGpuFeature fv_siti_gpu = {
    .kernels = kernels,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
