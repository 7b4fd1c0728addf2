/* The visual discrimination model on GPUs: optics, pyramids, a launch of responses for each level, the map. */
#include "feature/vdm_plan.h"

#include <string.h>

#include "gpu/plan.h"
#include "gpu/selftest.h"
#include "kernel/vdm.h"

extern const FvKernel fv_kernel_vdm_optics8, fv_kernel_vdm_optics16, fv_kernel_vdm_reduce, fv_kernel_vdm_mean,
    fv_kernel_vdm_respond, fv_kernel_vdm_add, fv_kernel_vdm_map;
static const FvKernel *const kernels[] = {
    &fv_kernel_vdm_optics8, &fv_kernel_vdm_optics16, &fv_kernel_vdm_reduce, &fv_kernel_vdm_mean,
    &fv_kernel_vdm_respond, &fv_kernel_vdm_add,      &fv_kernel_vdm_map,    NULL,
};

_Static_assert(FV_VDM_RESULT_BINS == FV_VDM_BINS && FV_VDM_MAP_SEGMENT == FV_VDM_SEGMENT, "as on the CPU");

#define WEIGHTS_OFFSET FV_ROUND_UP(sizeof(FvVdmConstants), 16)
#define WEIGHTS_BYTES FV_ROUND_UP(FV_VDM_NODES * sizeof(float), 16) /* of a level */
#define DISPLAY_OFFSET (WEIGHTS_OFFSET + FV_VDM_LEVELS * WEIGHTS_BYTES)

/* Offsets in floats of the planes of a pair, rows tight. */
typedef struct Places {
    int32_t gauss[2][FV_VDM_LEVELS + 2], mean[2][FV_VDM_LEVELS + 1], sum[FV_VDM_LEVELS];
    size_t floats;
} Places;

static Places places_of(const FvVdmPlan *plan)
{
    Places places = {.floats = 0};
    int levels = plan->parameters.levels;
    for (int k = 0; k < levels + 2; k++) {
        size_t plane = FV_ROUND_UP((size_t)plan->level[k].width * plan->level[k].height, 64);
        for (int picture = 0; picture < 2; picture++) {
            places.gauss[picture][k] = (int32_t)places.floats;
            places.floats += plane;
            if (k > 0 && k <= levels) {
                places.mean[picture][k] = (int32_t)places.floats;
                places.floats += plane;
            }
        }
        if (k < levels) {
            places.sum[k] = (int32_t)places.floats;
            places.floats += plane;
        }
    }
    return places;
}

static size_t sum_words(const FvVdmPlan *plan)
{
    return (size_t)plan->optics.height * plan->segments * FV_VDM_RESULT_LIMBS;
}

static bool plan(const FvRun *run, FvGpuPlan *gpu, char *why, size_t size)
{
    const FvVdmPlan *plan = run->state;
    if (plan->halvings || plan->resampled) {
        snprintf(why, size, "it has no kernels for a retina with %s pixels than the picture (max_ppd, retinal_ppd)",
                 plan->halvings ? "fewer" : "other");
        return false;
    }
    Places places = places_of(plan);
    if (places.floats > INT32_MAX) {
        snprintf(why, size, "pictures of %dx%d are too large for its kernels", run->ref.width, run->ref.height);
        return false;
    }
    gpu->work_bytes = places.floats * sizeof(float);
    gpu->result_bytes = (FV_VDM_RESULT_SUMS + sum_words(plan) + FV_VDM_RESULT_BINS) * sizeof(uint32_t);
    gpu->constant_bytes = DISPLAY_OFFSET + (sizeof(float) << run->ref.depth);
    gpu->maps = 1 << FV_VDM_MAP_JND;
    return true;
}

static void constants(const FvRun *run, void *memory)
{
    const FvVdmPlan *plan = run->state;
    FvVdmConstants *c = memory;
    *c = (FvVdmConstants){.half_n = plan->transducer.half_n,
                          .half_difference = plan->transducer.half_difference,
                          .kappa = plan->transducer.kappa,
                          .gain = plan->transducer.gain,
                          .q = (float)plan->parameters.q,
                          .inverse_q = (float)(1 / plan->parameters.q),
                          .square = plan->transducer.square,
                          .pool = plan->parameters.pool,
                          .radius = plan->optics.spread.radius,
                          .greatest = plan->optics.greatest};
    memcpy(c->spread, plan->optics.spread.weight, sizeof c->spread);
    for (int k = 0; k < plan->parameters.levels; k++)
        memcpy((uint8_t *)memory + WEIGHTS_OFFSET + k * WEIGHTS_BYTES, plan->weights[k], sizeof plan->weights[k]);
    memcpy((uint8_t *)memory + DISPLAY_OFFSET, plan->display, sizeof(float) << run->ref.depth);
}

static uint32_t groups(int samples, int each)
{
    return (uint32_t)((samples + each - 1) / each);
}

/* Both pictures, or one, in areas of one sample a thread. */
static void launch_areas(const FvGpuBatch *batch, const FvKernel *kernel, FvVdmArgs *args, uint32_t pictures)
{
    args->across = (int32_t)groups(args->width, FV_VDM_AREA_WIDTH);
    fv_gpu_launch(batch, kernel, args, pictures * (uint32_t)args->across, groups(args->height, FV_VDM_AREA_HEIGHT));
}

/* The arguments for a level that is written from the planes of the next one. */
static FvVdmArgs level_args(const FvVdmPlan *plan, const Places *places, const FvGpuBatch *batch, int k)
{
    int levels = plan->parameters.levels;
    const FvVdmPlace *place = &plan->level[k];
    FvVdmArgs args = {.pairs = batch->pairs,
                      .constants = batch->constants,
                      .table = batch->constants + WEIGHTS_OFFSET + k * WEIGHTS_BYTES,
                      .work = batch->work,
                      .work_stride = batch->work_stride,
                      .results = batch->results,
                      .result_stride = batch->result_stride,
                      .width = place->width,
                      .height = place->height,
                      .from_width = place[1].width,
                      .from_height = place[1].height,
                      .sum = k < levels ? places->sum[k] : -1,
                      .coarse_sum = k + 1 < levels ? places->sum[k + 1] : -1};
    for (int picture = 0; picture < 2; picture++) {
        args.gauss[picture] = places->gauss[picture][k];
        args.coarse[picture] = places->gauss[picture][k + 1];
        args.mean[picture] = k < levels ? places->mean[picture][k + 1] : -1;
    }
    return args;
}

static void record_pyramids(const FvVdmPlan *plan, const Places *places, const FvGpuBatch *batch)
{
    int levels = plan->parameters.levels;
    for (int k = 0; k <= levels; k++) {
        FvVdmArgs args = level_args(plan, places, batch, k);
        args.from_width = args.width;
        args.from_height = args.height;
        args.width = plan->level[k + 1].width;
        args.height = plan->level[k + 1].height;
        launch_areas(batch, &fv_kernel_vdm_reduce, &args, 2);
        fv_gpu_barrier(batch);
    }
    for (int k = 1; k <= levels; k++) {
        FvVdmArgs args = level_args(plan, places, batch, k);
        for (int picture = 0; picture < 2; picture++)
            args.mean[picture] = places->mean[picture][k];
        launch_areas(batch, &fv_kernel_vdm_mean, &args, 2);
    }
    fv_gpu_barrier(batch);
}

static void record(const FvRun *run, const FvGpuBatch *batch)
{
    const FvVdmPlan *plan = run->state;
    int levels = plan->parameters.levels;
    Places places = places_of(plan);
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    FvVdmArgs args = level_args(plan, &places, batch, 0);
    if (batch->first_stage < FV_VDM_STEP_RESPOND) {
        args.table = batch->constants + DISPLAY_OFFSET;
        launch_areas(batch, run->ref.depth == 8 ? &fv_kernel_vdm_optics8 : &fv_kernel_vdm_optics16, &args, 2);
        fv_gpu_barrier(batch);
        record_pyramids(plan, &places, batch);
    }
    for (int k = 0; k < levels; k++) {
        args = level_args(plan, &places, batch, k);
        fv_gpu_launch(batch, &fv_kernel_vdm_respond, &args, groups(args.width, FV_VDM_SUM_WIDTH),
                      groups(args.height, FV_VDM_SUM_HEIGHT));
    }
    fv_gpu_barrier(batch);
    for (int k = levels - 2; k > 0; k--) {
        args = level_args(plan, &places, batch, k);
        launch_areas(batch, &fv_kernel_vdm_add, &args, 1);
        fv_gpu_barrier(batch);
    }
    args = level_args(plan, &places, batch, 0);
    args.across = plan->segments;
    args.gauss[0] = (int32_t)(FV_VDM_RESULT_SUMS + sum_words(plan)); /* where bins begin */
    if (batch->map[FV_VDM_MAP_JND]) {
        args.map = batch->map[FV_VDM_MAP_JND];
        args.map_stride = batch->map_stride[FV_VDM_MAP_JND];
    }
    fv_gpu_launch(batch, &fv_kernel_vdm_map, &args, (uint32_t)plan->segments, groups(args.height, FV_VDM_MAP_ROWS));
}

static void results(const FvRun *run, const FvWork *work, const void *result)
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
    {"levels=1:pool=1:n=1.5", 96, 64, FV_GPU_NOISE},
    {"ppd=150:eotf=2:lw=1000", 70, 50, FV_GPU_SLOPES},
    {0},
};

const FvGpuFeature fv_vdm_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
