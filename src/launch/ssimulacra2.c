/* SSIMULACRA 2 on GPUs: for each level, the conversion and then the sums. */
#include "feature/ssimulacra2.h"

#include <string.h>

#include "kernel/host.h"
#include "kernel/pair.h"
#include "kernel/ssimulacra2.h"
#include "launch/light.h"

extern const FvKernel fv_kernel_ssimulacra2_first8, fv_kernel_ssimulacra2_first16, fv_kernel_ssimulacra2_next,
    fv_kernel_ssimulacra2_sums, fv_kernel_ssimulacra2_map;
static const FvKernel *const kernels[] = {&fv_kernel_ssimulacra2_first8, &fv_kernel_ssimulacra2_first16,
                                          &fv_kernel_ssimulacra2_next,   &fv_kernel_ssimulacra2_sums,
                                          &fv_kernel_ssimulacra2_map,    NULL};

#define SUM_WORDS(level) ((level)*FV_SS2_CHANNELS * FV_SS2_TERMS * FV_SS2_SUM_WORDS)

/* Returns the arguments of a level without addresses; *floats: size of the working memory, in floats. */
static FvSs2Args level_args(const FvSs2 *ss2, int l, size_t *floats)
{
    FvSs2Args args = {.light = -1, .halved = -1, .first_sum = (uint32_t)SUM_WORDS(l)};
    size_t used = 0;
    for (int i = 0; i < ss2->levels; i++) {
        const struct FvSs2Level *level = &ss2->level[i];
        size_t planes = 6 * (size_t)level->stride * (size_t)level->height;
        int light = i ? (int)used : -1;
        used += i ? planes : 0;
        if (i == l) {
            args.width = level->width;
            args.height = level->height;
            args.stride = (int)level->stride;
            args.light = light;
            args.channel = (int)used;
            for (int c = 0; c < FV_SS2_CHANNELS; c++)
                args.wanted |= level->wanted[c] << FV_SS2_TERMS * c;
        } else if (i == l + 1) {
            args.half_stride = (int)level->stride;
            args.halved = light;
        }
        used += planes;
    }
    *floats = used;
    return args;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvSs2 *ss2 = run->state;
    size_t floats;
    level_args(ss2, 0, &floats);
    plan->work_bytes = floats * sizeof(float);
    plan->result_bytes = SUM_WORDS((size_t)ss2->levels) * sizeof(uint32_t);
    plan->constant_bytes = FV_LIGHT_CONSTANT_BYTES + FV_SS2_LEVELS * sizeof ss2->level->gain;
    plan->maps = 1;
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvSs2 *ss2 = run->state;
    fv_light_constants(&ss2->light, memory);
    for (int l = 0; l < FV_SS2_LEVELS; l++)
        memcpy((uint8_t *)memory + FV_LIGHT_CONSTANT_BYTES + (size_t)l * sizeof ss2->level[l].gain,
               ss2->level[l].gain, sizeof ss2->level[l].gain);
}

static FvSs2Args batch_args(const FvSs2 *ss2, const FvGpuBatch *batch, int l)
{
    size_t floats;
    FvSs2Args args = level_args(ss2, l, &floats);
    args.pairs = batch->pairs;
    args.constants = batch->constants;
    args.curve = batch->constants + FV_LIGHT_CURVE_OFFSET;
    args.gains = batch->constants + FV_LIGHT_CONSTANT_BYTES + (size_t)l * sizeof ss2->level[l].gain;
    args.work = batch->work;
    args.work_stride = batch->work_stride;
    args.sums = batch->results;
    args.sums_stride = batch->result_stride;
    args.map = batch->map[0];
    args.map_stride = batch->map_stride[0];
    return args;
}

static void launch_areas(const FvGpuBatch *batch, const FvKernel *kernel, const FvSs2Args *args)
{
    fv_gpu_launch(batch, kernel, args, fv_gpu_groups(args->width, FV_SS2_AREA_WIDTH),
                  fv_gpu_groups(args->height, FV_SS2_AREA_HEIGHT));
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvSs2 *ss2 = run->state;
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    for (int l = 0; l < ss2->levels; l++) {
        FvSs2Args args = batch_args(ss2, batch, l);
        const FvKernel *convert = l                    ? &fv_kernel_ssimulacra2_next
                                  : run->ref.depth > 8 ? &fv_kernel_ssimulacra2_first16
                                                       : &fv_kernel_ssimulacra2_first8;
        fv_gpu_launch(batch, convert, &args, fv_gpu_groups(args.width, 2 * FV_LIGHT_QUADS_ACROSS),
                      fv_gpu_groups(args.height, 2 * FV_LIGHT_QUADS_DOWN));
        fv_gpu_barrier(batch);
        launch_areas(batch, &fv_kernel_ssimulacra2_sums, &args);
    }
    /* The channels of all levels are complete at this point. */
    for (int l = ss2->levels - 1; l >= 0 && batch->map[0]; l--) {
        FvSs2Args args = batch_args(ss2, batch, l);
        fv_gpu_barrier(batch);
        launch_areas(batch, &fv_kernel_ssimulacra2_map, &args);
    }
}

/* The GPU's totals of each level go to its first tile; the other tiles are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvSs2 *ss2 = run->state;
    const uint32_t *words = result;
    for (int l = 0; l < ss2->levels; l++) {
        const struct FvSs2Level *level = &ss2->level[l];
        FvSs2Sum *sums = (void *)((uint8_t *)work->frame + level->sums);
        memset(sums, 0,
               (size_t)level->across * (size_t)level->down * FV_SS2_CHANNELS * FV_SS2_TERMS * sizeof(FvSs2Sum));
        for (int i = 0; i < FV_SS2_CHANNELS * FV_SS2_TERMS; i++)
            for (int limb = 0; limb < 3; limb++, words += 2)
                sums[i].limb[limb] = (uint64_t)words[1] << 32 | words[0];
    }
}

const FvGpuFeature fv_ss2_gpu = {
    .kernels = kernels,
    .most_work = FV_GPU_FLOATS,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
