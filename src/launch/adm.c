/* ADM on GPUs. */
#include <stdio.h>

#include "feature/adm.h"

#include "arith/scalar.h"
#include "gpu/launches.h"
#include "kernel/adm.h"

extern const FvKernel fv_kernel_adm_first8, fv_kernel_adm_first16, fv_kernel_adm_coarse, fv_kernel_adm_total;
extern const FvKernel fv_kernel_adm_wraps_first8, fv_kernel_adm_wraps_first16, fv_kernel_adm_wraps_coarse;
static const FvKernel *const kernels[] = {
    &fv_kernel_adm_first8,        &fv_kernel_adm_first16,      &fv_kernel_adm_coarse, &fv_kernel_adm_wraps_first8,
    &fv_kernel_adm_wraps_first16, &fv_kernel_adm_wraps_coarse, &fv_kernel_adm_total,  NULL};
static const FvGpuTrial trials[] = {
    {.options = "adm_enhn_gain_limit=1.2", .width = 130, .height = 70},
    {.options = "adm_csf_mode=1", .width = 130, .height = 70},
    {.options = "adm_csf_mode=1", .width = 130, .height = 70, .depth = 8},
    {.options = "adm_enhn_gain_limit=1.2", .width = 130, .height = 70, .depth = 8},
    {0},
};

static int tiles_across(const FvAdmScale *scale)
{
    return (int)fv_gpu_groups(scale->columns, scale->scale ? FV_ADM_COARSE_WIDTH : FV_ADM_FIRST_WIDTH);
}

/* Fills the stages, and returns the words of working memory that a pair needs. */
static size_t lay_out(const FvAdm *adm, FvAdmStage stages[FV_ADM_SCALES])
{
    size_t at = 0;
    for (int i = 0; i < FV_ADM_SCALES; i++) {
        const FvAdmScale *scale = &adm->scale[i];
        FvAdmStage *stage = &stages[i];
        *stage = (FvAdmStage){.width = scale->width,
                              .height = scale->height,
                              .columns = scale->columns,
                              .rows = scale->rows,
                              .left = scale->left,
                              .right = scale->scored ? scale->right : 0,
                              .top = scale->top,
                              .bottom = scale->bottom,
                              .level = 1 << (scale->depth - 1),
                              .down_bits = i == 0   ? scale->depth
                                           : i == 1 ? 0
                                                    : 16,
                              .across_bits = i % 2 ? 15 : 16,
                              .limit = scale->limit,
                              .real_limit = {fv_low_word(scale->gain_limit), fv_high_word(scale->gain_limit)},
                              .row_bits = scale->row_bits,
                              .detail_square_bits = scale->detail_square_bits,
                              .detail_cube_bits = scale->detail_cube_bits,
                              .detail_row_bits = scale->detail_row_bits,
                              .tiles = tiles_across(scale),
                              .pitch = FV_ROUND_UP(scale->columns, 4)};
        for (int band = 0; band < 3; band++) {
            stage->factor[band] = scale->factor[band];
            stage->threshold_bits[band] = scale->threshold_bits[band];
            stage->square_bits[band] = scale->square_bits[band];
            stage->cube_bits[band] = scale->cube_bits[band];
        }
        if (i)
            stage->input_pitch = stages[i - 1].pitch;
        for (int picture = 0; picture < 2; picture++) {
            at = FV_ROUND_UP(at, 4);
            if (i)
                stage->from[picture] = stages[i - 1].low[picture];
            stage->low[picture] = (fv_u32)at;
            at += (size_t)stage->pitch * (size_t)scale->rows;
        }
        stage->sums = (fv_u32)at;
        at += 2 * (size_t)FV_ADM_ROW_SUMS * (size_t)stage->tiles * (size_t)scale->rows;
    }
    return at;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvAdm *adm = run->state;
    FvAdmStage stages[FV_ADM_SCALES];
    plan->work_bytes = lay_out(adm, stages) * sizeof(fv_u32);
    plan->result_bytes = FV_ADM_TERMS * FV_ADM_PARTS * 2 * sizeof(fv_u32);
    plan->constant_bytes = sizeof stages;
    return true;
}

static void constants(const FvFeatureInstance *run, void *to)
{
    lay_out(run->state, to);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvAdm *adm = run->state;
    FvAdmArgs args = {.pairs = batch->pairs,
                      .stages = batch->constants,
                      .work = batch->work,
                      .results = batch->results,
                      .work_stride = batch->work_stride,
                      .result_stride = batch->result_stride};
    for (int i = 0; i < FV_ADM_SCALES; i++) {
        const FvAdmScale *scale = &adm->scale[i];
        const FvKernel *usual = i                     ? &fv_kernel_adm_coarse
                                : run->dis.depth == 8 ? &fv_kernel_adm_first8
                                                      : &fv_kernel_adm_first16;
        const FvKernel *wraps = i                     ? &fv_kernel_adm_wraps_coarse
                                : run->dis.depth == 8 ? &fv_kernel_adm_wraps_first8
                                                      : &fv_kernel_adm_wraps_first16;
        args.scale = i;
        fv_gpu_launch(batch, scale->wraps ? wraps : usual, &args, (uint32_t)tiles_across(scale),
                      fv_gpu_groups(scale->rows, FV_ADM_TILE_HEIGHT));
        fv_gpu_barrier(batch);
    }
    fv_gpu_launch(batch, &fv_kernel_adm_total, &args, FV_ADM_TERMS, FV_ADM_PARTS);
}

/* The GPU's totals go to the first band of rows; the other bands are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvAdm *adm = run->state;
    const uint32_t *word = result;
    for (int i = 0; i < FV_ADM_SCALES; i++) {
        FvAdmSums *sums = (FvAdmSums *)((uint8_t *)work->frame + adm->sums[i]);
        for (int band = 0; band < run->jobs[i]; band++)
            sums[band] = (FvAdmSums){{0}, {0}, {0}};
        int64_t *const part[3] = {sums->detail, sums->restored, sums->additive};
        for (int k = 0; k < FV_ADM_ROW_SUMS; k++) {
            uint64_t sum = 0;
            for (int i = 0; i < FV_ADM_PARTS; i++, word += 2)
                sum += (uint64_t)word[1] << 32 | word[0];
            part[k / 3][k % 3] = (int64_t)sum;
        }
    }
}

const FvGpuFeature fv_adm_gpu = {
    .kernels = kernels,
    .trials = trials,
    .float64 = true,
    .most_work = (size_t)1 << 30,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
