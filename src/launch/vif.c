/* VMAF's VIF on GPUs. */
#include "feature/vif.h"

#include <string.h>

#include "arith/scalar.h"
#include "arith/vif.h"
#include "cpu/vif.h"
#include "gpu/launches.h"
#include "kernel/vif.h"
#include "os/memory.h"

extern const FvKernel fv_kernel_vif_sums0_8, fv_kernel_vif_sums0_14, fv_kernel_vif_sums0_16, fv_kernel_vif_sums1,
    fv_kernel_vif_sums2, fv_kernel_vif_sums3, fv_kernel_vif_reduce0_8, fv_kernel_vif_reduce0_16,
    fv_kernel_vif_reduce1, fv_kernel_vif_reduce2;
static const FvKernel *const kernels[] = {&fv_kernel_vif_sums0_8,
                                          &fv_kernel_vif_sums0_14,
                                          &fv_kernel_vif_sums0_16,
                                          &fv_kernel_vif_sums1,
                                          &fv_kernel_vif_sums2,
                                          &fv_kernel_vif_sums3,
                                          &fv_kernel_vif_reduce0_8,
                                          &fv_kernel_vif_reduce0_16,
                                          &fv_kernel_vif_reduce1,
                                          &fv_kernel_vif_reduce2,
                                          NULL};
static const FvGpuTrial trials[] = {
    {.options = "vif_enhn_gain_limit=1", .width = 130, .height = 70},
    {.options = "vif_enhn_gain_limit=1", .width = 130, .height = 70, .depth = 16},
    {0},
};

/* Returns the distance in bytes between rows of a frame of scale 1 to 3 in device memory. */
static uint32_t stride_of(const FvVif *vif, int scale)
{
    return FV_ROUND_UP(2u * (uint32_t)vif->width[scale], 64u);
}

static uint32_t picture_bytes(const FvVif *vif, int scale)
{
    return FV_ROUND_UP(stride_of(vif, scale) * (uint32_t)vif->height[scale], 256u);
}

/*
 * Returns the offset of the reference's frame of a scale; the distorted frame follows it. Scale 4 means the end of
 * all frames.
 */
static uint32_t place_of(const FvVif *vif, int scale)
{
    uint32_t place = 0;
    for (int i = 1; i < scale; i++)
        place += 2 * picture_bytes(vif, i);
    return place;
}

static uint32_t words_before(const FvVif *vif, int scale)
{
    uint32_t words = 0;
    for (int i = 0; i < scale; i++)
        words += FV_VIF_SUM_WORDS * fv_gpu_groups(vif->height[i], FV_VIF_SUM_ROWS);
    return words;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvVif *vif = run->state;
    if (run->input_count)
        return true;
    plan->work_bytes = place_of(vif, 4);
    plan->result_bytes = words_before(vif, 4) * sizeof(uint32_t);
    plan->constant_bytes = FV_VIF_LINES * sizeof(uint32_t);
    return true;
}

static void constants(const FvFeatureInstance *run, void *to)
{
    const FvVif *vif = run->state;
    fv_vif_log_lines(vif->logs, to);
}

static void launch_scale(const FvFeatureInstance *run, const FvGpuBatch *batch, int scale)
{
    const FvVif *vif = run->state;
    const FvVifOptions *options = run->options, *twin = run->twin;
    const double second = twin ? twin->enhn_gain_limit : 0;
    bool bytes = run->dis.depth == 8;
    const FvKernel *sums[] = {bytes                 ? &fv_kernel_vif_sums0_8
                              : run->dis.depth < 15 ? &fv_kernel_vif_sums0_14
                                                    : &fv_kernel_vif_sums0_16,
                              &fv_kernel_vif_sums1, &fv_kernel_vif_sums2, &fv_kernel_vif_sums3};
    const FvKernel *reduce[] = {bytes ? &fv_kernel_vif_reduce0_8 : &fv_kernel_vif_reduce0_16, &fv_kernel_vif_reduce1,
                                &fv_kernel_vif_reduce2};
    FvVifArgs args = {.pairs = batch->pairs,
                      .lines = batch->constants,
                      .work = batch->work,
                      .sums = batch->results,
                      .work_stride = batch->work_stride,
                      .sums_stride = batch->result_stride,
                      .width = vif->width[scale],
                      .height = vif->height[scale],
                      .depth = run->dis.depth,
                      .sums_first = words_before(vif, scale),
                      .limit_low = {fv_low_word(options->enhn_gain_limit), fv_low_word(second)},
                      .limit_high = {fv_high_word(options->enhn_gain_limit), fv_high_word(second)}};
    if (scale) {
        args.stride = stride_of(vif, scale);
        args.ref = place_of(vif, scale);
        args.dis = args.ref + picture_bytes(vif, scale);
    }
    if (scale || !options->skip_scale0)
        fv_gpu_launch(batch, sums[scale], &args, fv_gpu_groups(args.width, FV_VIF_SUM_COLUMNS),
                      fv_gpu_groups(args.height, FV_VIF_SUM_ROWS));
    if (scale == 3)
        return;
    args.from_width = args.width;
    args.from_height = args.height;
    args.width = vif->width[scale + 1];
    args.height = vif->height[scale + 1];
    args.to_stride = stride_of(vif, scale + 1);
    args.to_ref = place_of(vif, scale + 1);
    args.to_dis = args.to_ref + picture_bytes(vif, scale + 1);
    fv_gpu_launch(batch, reduce[scale], &args, fv_gpu_groups(args.width, FV_VIF_REDUCE_COLUMNS),
                  fv_gpu_groups(args.height, FV_VIF_REDUCE_ROWS));
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    if (run->input_count) /* the input computes both */
        return;
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    fv_gpu_barrier(batch);
    for (int scale = 0; scale < 4; scale++) {
        launch_scale(run, batch, scale);
        if (scale < 3)
            fv_gpu_barrier(batch);
    }
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvVif *vif = run->state;
    for (int scale = 0; scale < 4 && !run->input_count; scale++) {
        const uint32_t *row = (const uint32_t *)result + words_before(vif, scale);
        FvVifSums *sums = (FvVifSums *)((uint8_t *)work->frame + vif->sums[scale]);
        memset(sums, 0, (size_t)run->jobs[scale] * sizeof *sums);
        for (uint32_t i = 0; i < fv_gpu_groups(vif->height[scale], FV_VIF_SUM_ROWS); i++, row += FV_VIF_SUM_WORDS) {
            sums->numerator[0] += row[0] + ((int64_t)row[1] << 16);
            sums->numerator[1] += row[8] + ((int64_t)row[9] << 16);
            sums->denominator += row[2] + ((int64_t)row[3] << 16);
            sums->flat_variance += row[4] + ((int64_t)row[5] << 16) + ((int64_t)row[6] << 32);
            sums->flat += row[7];
        }
    }
}

const FvGpuFeature fv_vif_gpu = {
    .kernels = kernels,
    .trials = trials,
    .float64 = true,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
