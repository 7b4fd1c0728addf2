/* The light of pixels on GPUs. */
#include <string.h>

#include "launch/check.h"
#include "picture/colour.h"

extern const FvKernel fv_kernel_peaks8, fv_kernel_peaks16;
static const FvKernel *const kernels[] = {&fv_kernel_peaks8, &fv_kernel_peaks16, NULL};
static const FvGpuTrial trials[] = {
    {.options = "hlg_peak=1000", .width = 130, .height = 70, .fill = FV_FILL_NOISE, .transfer = FV_H273_PQ},
    {.options = "hlg_peak=600", .width = 130, .height = 70, .fill = FV_FILL_NOISE, .transfer = FV_H273_HLG},
    {.options = "hlg_peak=1000",
     .width = 130,
     .height = 70,
     .fill = FV_FILL_NOISE,
     .depth = 8,
     .transfer = FV_H273_PQ},
    {0},
};

enum { WORDS = FV_CHECK_PEAKS_WORDS + FV_CHECK_BINS };

static bool any_light(const FvFeatureInstance *run)
{
    return fv_check_is_hdr(&run->dis) || (run->has_reference && fv_check_is_hdr(&run->ref));
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, WORDS);
    plan->constant_bytes = fv_check_constant_bytes(run);
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    fv_check_constants(run, ((const FvPeaks *)run->state)->light, memory);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvCheckArgs args = fv_check_split(run, run->dis.width, FV_CHECK_BLOCK);
    fv_check_set_light(&args, batch);
    fv_check_clear(batch);
    if (any_light(run))
        fv_check_launch(run, batch, kernels, args, args.first[1], WORDS);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const uint32_t *part = result;
    memset(work->frame, 0, run->frame_bytes);
    for (int side = 0; side < fv_check_sides(run); side++, part += WORDS) {
        FvCheckPeaks *peaks = (FvCheckPeaks *)work->frame + fv_check_first_band(run, side);
        peaks->most = part[FV_CHECK_PEAKS_MOST];
        peaks->outside[0] = part[FV_CHECK_PEAKS_BT709];
        peaks->outside[1] = part[FV_CHECK_PEAKS_P3];
        peaks->lit = part[FV_CHECK_PEAKS_LIT];
        peaks->sum = fv_check_sum(part + FV_CHECK_PEAKS_SUM);
        memcpy(peaks->bin, part + FV_CHECK_PEAKS_WORDS, sizeof peaks->bin);
    }
}

const FvGpuFeature fv_peaks_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
