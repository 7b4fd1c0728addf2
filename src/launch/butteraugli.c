/* Butteraugli on GPUs: light, then stage after stage for level 1, and again for level 0. */
#include "feature/butteraugli.h"

#include <string.h>

#include "kernel/host.h"
#include "kernel/pair.h"
#include "kernel/butteraugli.h"
#include "launch/light.h"

extern const FvKernel fv_kernel_butteraugli_first8, fv_kernel_butteraugli_first16, fv_kernel_butteraugli_opsin,
    fv_kernel_butteraugli_low, fv_kernel_butteraugli_middle, fv_kernel_butteraugli_high, fv_kernel_butteraugli_mask,
    fv_kernel_butteraugli_half, fv_kernel_butteraugli_full;
static const FvKernel *const kernels[] = {&fv_kernel_butteraugli_first8, &fv_kernel_butteraugli_first16,
                                          &fv_kernel_butteraugli_opsin,  &fv_kernel_butteraugli_low,
                                          &fv_kernel_butteraugli_middle, &fv_kernel_butteraugli_high,
                                          &fv_kernel_butteraugli_mask,   &fv_kernel_butteraugli_half,
                                          &fv_kernel_butteraugli_full,   NULL};

static size_t plane_of(const FvButter *butter, int l)
{
    return FV_ROUND_UP((size_t)butter->level[l].width, 16) * (size_t)butter->level[l].height;
}

/*
 * Returns the index of level 1's planes. They overlap planes of level 0 that are not needed yet; level 1's distances
 * come after all planes.
 */
static size_t half_base(const FvButter *butter)
{
    return FV_BUTTER_OPSIN * plane_of(butter, 0);
}

static size_t half_map(const FvButter *butter)
{
    return FV_BUTTER_PLANES * plane_of(butter, 0);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvButter *butter = run->state;
    size_t floats = half_map(butter) + plane_of(butter, 1), gains = 0;
    for (int l = 0; l < butter->levels; l++)
        gains += FV_BUTTER_BLURS * (size_t)(butter->level[l].width + butter->level[l].height);
    plan->work_bytes = floats * sizeof(float);
    plan->result_bytes = FV_BUTTER_SUM_WORDS * sizeof(uint32_t);
    plan->constant_bytes = FV_LIGHT_CONSTANT_BYTES + gains * sizeof(float);
    plan->maps = 1;
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvButter *butter = run->state;
    float *gains = (float *)(void *)((uint8_t *)memory + FV_LIGHT_CONSTANT_BYTES);
    fv_light_constants(&butter->light, memory);
    for (int l = 0; l < butter->levels; l++) {
        size_t count = FV_BUTTER_BLURS * (size_t)(butter->level[l].width + butter->level[l].height);
        memcpy(gains, butter->level[l].gain, count * sizeof *gains);
        gains += count;
    }
}

static FvButterArgs level_args(const FvFeatureInstance *run, const FvGpuBatch *batch, int l)
{
    const FvButter *butter = run->state;
    const struct FvButterLevel *level = &butter->level[l];
    size_t before = l ? FV_BUTTER_BLURS * (size_t)(butter->level[0].width + butter->level[0].height) : 0;
    bool halved = l == 0 && butter->levels > 1, mapped = l == 0 && batch->map[0];
    return (FvButterArgs){.pairs = batch->pairs,
                          .constants = batch->constants,
                          .curve = batch->constants + FV_LIGHT_CURVE_OFFSET,
                          .gains = batch->constants + FV_LIGHT_CONSTANT_BYTES + before * sizeof(float),
                          .work = batch->work,
                          .sums = batch->results,
                          .map = mapped ? batch->map[0] : 0,
                          .work_stride = batch->work_stride,
                          .sums_stride = batch->result_stride,
                          .map_stride = mapped ? batch->map_stride[0] : 0,
                          .map_pitch = mapped ? run->ref.width : 0,
                          .width = level->width,
                          .height = level->height,
                          .stride = (int32_t)FV_ROUND_UP(level->width, 16),
                          .base = l ? (int32_t)half_base(butter) : 0,
                          .left = l ? 0 : butter->left,
                          .above = l ? 0 : butter->above,
                          .picture_width = l ? level->width : run->ref.width,
                          .picture_height = l ? level->height : run->ref.height,
                          .half_base = halved ? (int32_t)half_base(butter) : -1,
                          .half_stride = (int32_t)FV_ROUND_UP(butter->level[1].width, 16),
                          .half_map = (int32_t)half_map(butter),
                          .intensity = butter->intensity};
}

static void launch_pictures(const FvGpuBatch *batch, const FvKernel *kernel, const FvButterArgs *args, int across,
                            int down)
{
    fv_gpu_launch(batch, kernel, args, fv_gpu_groups(args->width, across), fv_gpu_groups(args->height, down));
    fv_gpu_barrier(batch);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvButter *butter = run->state;
    FvButterArgs args = level_args(run, batch, 0);
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    launch_pictures(batch, run->ref.depth > 8 ? &fv_kernel_butteraugli_first16 : &fv_kernel_butteraugli_first8, &args,
                    2 * FV_LIGHT_QUADS_ACROSS, 2 * FV_LIGHT_QUADS_DOWN);
    for (int l = butter->levels - 1; l >= 0; l--) {
        args = level_args(run, batch, l);
        launch_pictures(batch, &fv_kernel_butteraugli_opsin, &args, FV_BUTTER_OPSIN_WIDTH, FV_BUTTER_WALK_HEIGHT);
        launch_pictures(batch, &fv_kernel_butteraugli_low, &args, FV_BUTTER_LOW_WIDTH, FV_BUTTER_WALK_HEIGHT);
        launch_pictures(batch, &fv_kernel_butteraugli_middle, &args, FV_BUTTER_MIDDLE_WIDTH, FV_BUTTER_WALK_HEIGHT);
        launch_pictures(batch, &fv_kernel_butteraugli_high, &args, FV_BUTTER_HIGH_WIDTH, FV_BUTTER_WALK_HEIGHT);
        launch_pictures(batch, &fv_kernel_butteraugli_mask, &args, FV_BUTTER_MASK_WIDTH, FV_BUTTER_WALK_HEIGHT);
        launch_pictures(batch, l ? &fv_kernel_butteraugli_half : &fv_kernel_butteraugli_full, &args,
                        FV_BUTTER_LINES_WIDTH, FV_BUTTER_LINES_HEIGHT);
    }
}

/* The GPU's totals go to the first tile; the other tiles are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvButter *butter = run->state;
    FvButterSums *sums = work->frame;
    uint32_t words[FV_BUTTER_SUM_WORDS];
    memcpy(words, result, sizeof words);
    memset(sums, 0, (size_t)butter->level[0].across * (size_t)butter->level[0].down * sizeof *sums);
    for (int i = 0; i < FV_BUTTER_SUM_WORDS / 2 - 1; i++)
        sums->digit[i / FV_BUTTER_DIGITS][i % FV_BUTTER_DIGITS] = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
    memcpy(&sums->most, &words[FV_BUTTER_SUM_WORDS - 2], sizeof sums->most);
}

const FvGpuFeature fv_butter_gpu = {
    .kernels = kernels,
    .most_work = FV_GPU_FLOATS,
    .pairs = 8,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
