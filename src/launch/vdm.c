/* The visual discrimination model on GPUs: optics, pyramids, one launch of responses per level, the map. */
#include "feature/vdm.h"

#include <string.h>

#include "feature/vdm_steps.h"
#include "launch/vdm_maps.h"
#include "launch/vdm_recording.h"
#include "launch/vdm_retina.h"
#include "launch/vdm_time.h"

extern const FvKernel fv_kernel_vdm_optics8, fv_kernel_vdm_optics16, fv_kernel_vdm_far_optics8,
    fv_kernel_vdm_far_optics16, fv_kernel_vdm_resample_across, fv_kernel_vdm_resample_down, fv_kernel_vdm_reduce,
    fv_kernel_vdm_mean, fv_kernel_vdm_respond, fv_kernel_vdm_response, fv_kernel_vdm_level, fv_kernel_vdm_add,
    fv_kernel_vdm_jnd, fv_kernel_vdm_linear, fv_kernel_vdm_map, fv_kernel_vdm_count, fv_kernel_vdm_chance;
static const FvKernel *const kernels[] = {
    &fv_kernel_vdm_optics8,
    &fv_kernel_vdm_optics16,
    &fv_kernel_vdm_far_optics8,
    &fv_kernel_vdm_far_optics16,
    &fv_kernel_vdm_resample_across,
    &fv_kernel_vdm_resample_down,
    &fv_kernel_vdm_reduce,
    &fv_kernel_vdm_mean,
    &fv_kernel_vdm_respond,
    &fv_kernel_vdm_response,
    &fv_kernel_vdm_level,
    &fv_kernel_vdm_add,
    &fv_kernel_vdm_jnd,
    &fv_kernel_vdm_linear,
    &fv_kernel_vdm_map,
    &fv_kernel_vdm_count,
    &fv_kernel_vdm_chance,
    NULL,
};

_Static_assert(FV_VDM_RESULT_BINS == FV_VDM_BINS && FV_VDM_MAP_SEGMENT == FV_VDM_SEGMENT, "as on the CPU");

static size_t sum_words(const FvVdmPlan *plan)
{
    return (size_t)plan->optics.height * plan->segments * FV_VDM_RESULT_LIMBS;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *gpu, char *why, size_t size)
{
    const FvVdmPlan *plan = run->state;
    FvVdmPlaces places = fv_vdm_places(plan);
    gpu->work_bytes = places.floats * sizeof(float);
    gpu->result_bytes = (FV_VDM_RESULT_SUMS + sum_words(plan) + FV_VDM_RESULT_BINS) * sizeof(uint32_t);
    gpu->constant_bytes = fv_vdm_gpu_tables(plan, run->ref.depth).end;
    if (plan->parameters.temporal)
        gpu->lasting_bytes =
            2 * FV_VDM_LASTING * (size_t)plan->level[0].width * (size_t)plan->level[0].height * sizeof(float);
    gpu->maps = ((uint64_t)1 << FV_VDM_MAPS) - 1;
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvVdmPlan *plan = run->state;
    FvVdmConstants *c = memory;
    *c = (FvVdmConstants){.half_n = plan->transducer.half_n,
                          .half_difference = plan->transducer.half_difference,
                          .kappa = plan->transducer.kappa,
                          .gain = plan->transducer.gain,
                          .q = (float)plan->parameters.q,
                          .inverse_q = (float)(1 / plan->parameters.q),
                          .psych_slope = (float)plan->parameters.psych_slope,
                          .transient_sens = (float)plan->parameters.transient_sens,
                          .square = plan->transducer.square,
                          .pool = plan->parameters.pool,
                          .radius = plan->optics.spread.radius,
                          .greatest = plan->optics.greatest};
    memcpy(c->spread, plan->optics.spread.weight, sizeof c->spread);
    FvVdmTables tables = fv_vdm_gpu_tables(plan, run->ref.depth);
    for (int k = 0; k < plan->parameters.levels; k++)
        memcpy((uint8_t *)memory + tables.weights[k], plan->weights[k], sizeof plan->weights[k]);
    memcpy((uint8_t *)memory + tables.display, plan->display, sizeof(float) << run->ref.depth);
    fv_vdm_retina_constants(plan, &tables, memory);
}

static void record_optics(const FvVdmRecording *r, int depth)
{
    FvVdmArgs args = fv_vdm_args(r);
    args.table = args.constants + r->tables.display;
    args.width = r->plan->optics.width;
    args.height = r->plan->optics.height;
    for (int picture = 0; picture < 2; picture++)
        args.gauss[picture] = r->places.chain[picture][0];
    args.across = (int32_t)fv_gpu_groups(args.width, FV_VDM_LIGHT_WIDTH);
    const FvKernel *near = depth == 8 ? &fv_kernel_vdm_optics8 : &fv_kernel_vdm_optics16;
    const FvKernel *far = depth == 8 ? &fv_kernel_vdm_far_optics8 : &fv_kernel_vdm_far_optics16;
    fv_gpu_launch(r->batch, r->plan->optics.spread.radius > 2 ? far : near, &args, 2 * (uint32_t)args.across,
                  fv_gpu_groups(args.height, FV_VDM_LIGHT_HEIGHT));
    fv_gpu_barrier(r->batch);
}

static void record_pyramids(const FvVdmRecording *r)
{
    int levels = r->plan->parameters.levels;
    for (int k = 0; k <= levels; k++) {
        FvVdmArgs args = fv_vdm_level_args(r, k);
        args.from_width = args.width;
        args.from_height = args.height;
        args.width = r->plan->level[k + 1].width;
        args.height = r->plan->level[k + 1].height;
        fv_vdm_launch_areas(r, &fv_kernel_vdm_reduce, &args, 2);
        fv_gpu_barrier(r->batch);
    }
    for (int k = 1; k <= levels; k++) {
        FvVdmArgs args = fv_vdm_level_args(r, k);
        for (int picture = 0; picture < 2; picture++)
            args.mean[picture] = r->places.mean[picture][k];
        fv_vdm_launch_areas(r, &fv_kernel_vdm_mean, &args, 2);
    }
    fv_gpu_barrier(r->batch);
}

static void record_responses(const FvVdmRecording *r)
{
    int levels = r->plan->parameters.levels;
    for (int k = 0; k < levels; k++) {
        FvVdmArgs args = fv_vdm_level_args(r, k);
        fv_gpu_launch(r->batch, &fv_kernel_vdm_respond, &args, fv_gpu_groups(args.width, FV_VDM_SUM_WIDTH),
                      fv_gpu_groups(args.height, FV_VDM_SUM_HEIGHT));
    }
    fv_gpu_barrier(r->batch);
    fv_vdm_record_transient(r);
    fv_vdm_record_level_maps(r);
    for (int k = levels - 2; k > 0; k--) {
        FvVdmArgs args = fv_vdm_level_args(r, k);
        fv_vdm_launch_areas(r, &fv_kernel_vdm_add, &args, 1);
        fv_gpu_barrier(r->batch);
    }
}

/* Records the map, if it or the probability is requested, and the statistics. */
static void record_map(const FvVdmRecording *r)
{
    const FvGpuBatch *batch = r->batch;
    bool other = fv_vdm_other_size(r->plan);
    FvVdmArgs args = fv_vdm_level_args(r, 0);
    if (other) {
        fv_vdm_record_enlarged(r);
        args.sum = r->places.map[0];
        args.width = r->plan->optics.width;
        args.height = r->plan->optics.height;
    }
    args.across = r->plan->segments;
    args.gauss[0] = (int32_t)(FV_VDM_RESULT_SUMS + sum_words(r->plan)); /* index of the bins */
    int map = batch->map[FV_VDM_MAP_JND] ? FV_VDM_MAP_JND : FV_VDM_MAP_PROBABILITY;
    args.map = batch->map[map];
    args.map_stride = batch->map[map] ? batch->map_stride[map] : 0;
    fv_gpu_launch(batch, other ? &fv_kernel_vdm_count : &fv_kernel_vdm_map, &args, (uint32_t)r->plan->segments,
                  fv_gpu_groups(args.height, FV_VDM_MAP_ROWS));
    fv_vdm_record_chance(r);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvVdmPlan *plan = run->state;
    FvGpuBatch scored = *batch;
    FvVdmRecording r = {plan, batch, fv_vdm_places(plan), fv_vdm_gpu_tables(plan, run->ref.depth)};
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    if (batch->first_stage < FV_VDM_STEP_REDUCE) {
        record_optics(&r, run->ref.depth);
        fv_vdm_record_retina(&r);
        fv_vdm_record_time(&r);
    }
    scored.count = batch->scored;
    r.batch = &scored;
    if (!scored.count)
        return;
    if (batch->first_stage < FV_VDM_STEP_RESPOND)
        record_pyramids(&r);
    record_responses(&r);
    record_map(&r);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvVdmPlan *plan = run->state;
    const uint32_t *words = result, *sums = words + FV_VDM_RESULT_SUMS;
    uint32_t least = ~words[0], greatest = words[1];
    FvVdmSums *to = fv_vdm_sums(plan, work->frame);
    for (int i = 0; i < plan->optics.height * plan->segments; i++, sums += FV_VDM_RESULT_LIMBS)
        to[i] = (FvVdmSums){sums[0] + ((uint64_t)sums[1] << 16), sums[2] + ((uint64_t)sums[3] << 19),
                            sums[4] + ((uint64_t)sums[5] << 17) + ((uint64_t)sums[6] << 34)};
    FvVdmCount count = {.visible = words[2], .bins = (uint32_t *)sums};
    memcpy(&count.least, &least, sizeof least);
    memcpy(&count.greatest, &greatest, sizeof greatest);
    fv_vdm_counted(plan, work->frame, &count);
}

static const FvGpuTrial trials[] = {
    {.options = "levels=1:pool=1:n=1.5", .width = 96, .height = 64, .fill = FV_FILL_NOISE},
    {.options = "ppd=150:eotf=2:lw=1000", .width = 70, .height = 50, .fill = FV_FILL_SLOPES},
    {.options = "ppd=330", .width = 97, .height = 61, .fill = FV_FILL_NOISE},
    {.options = "ppd=57:retinal_ppd=40", .width = 70, .height = 50, .fill = FV_FILL_NOISE},
    {.options = "ppd=20:retinal_ppd=31", .width = 33, .height = 29, .fill = FV_FILL_SLOPES},
    {.options = "temporal=1:fps=50", .width = 70, .height = 50, .fill = FV_FILL_NOISE},
    {.options = "ppd=330", .width = 97, .height = 61, .fill = FV_FILL_NOISE, .depth = 8},
    {0},
};

const FvGpuFeature fv_vdm_gpu = {
    .kernels = kernels,
    .trials = trials,
    .most_work = FV_GPU_FLOATS,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
