/* Fields and combing on GPUs. */
#include <string.h>

#include "launch/check.h"

extern const FvKernel fv_kernel_scan8, fv_kernel_scan16;
static const FvKernel *const kernels[] = {&fv_kernel_scan8, &fv_kernel_scan16, NULL};

enum { WORDS = 2 * FV_CHECK_SCAN_SUMS + 1 };

static FvCheckArgs split(const FvFeatureInstance *run)
{
    return fv_check_split(run, FV_CHECK_THREADS, FV_CHECK_TALL);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, (size_t)split(run).groups * WORDS);
    return true;
}

/* Frames of fewer than five rows have no fields that can be compared. */
static bool has_fields(const FvFeatureInstance *run)
{
    return run->dis.height >= 5;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvCheckArgs args = split(run);
    if (has_fields(run))
        fv_check_launch(run, batch, kernels, args, args.groups, (size_t)args.groups * WORDS);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const int groups = split(run).groups;
    const uint32_t *part = result;
    memset(work->frame, 0, run->frame_bytes);
    for (int side = 0; side < fv_check_sides(run) && has_fields(run); side++) {
        FvScanBand *band = (FvScanBand *)work->frame + fv_check_first_band(run, side);
        for (int group = 0; group < groups; group++, part += WORDS) {
            band->scan.moving += fv_check_sum(part);
            band->scan.own += fv_check_sum(part + 2);
            band->scan.top += fv_check_sum(part + 4);
            band->scan.bottom += fv_check_sum(part + 6);
            band->comb = part[8] > band->comb ? part[8] : band->comb;
        }
    }
}

const FvGpuFeature fv_scan_gpu = {
    .kernels = kernels,
    .plan = plan,
    .record = record,
    .results = results,
};
