/* CAMBI on GPUs. */
#include "feature/cambi.h"

#include <string.h>

#include "arith/scalar.h"

#include "arith/cambi.h"
#include "gpu/launches.h"
#include "kernel/cambi.h"
#include "os/memory.h"

extern const FvKernel fv_kernel_cambi_check, fv_kernel_cambi_mask, fv_kernel_cambi_filter;
extern const FvKernel fv_kernel_cambi_runs, fv_kernel_cambi_plan;
extern const FvKernel fv_kernel_cambi_contrast, fv_kernel_cambi_contrast_65;
extern const FvKernel fv_kernel_cambi_contrast_many, fv_kernel_cambi_contrast_many_65;
extern const FvKernel fv_kernel_cambi_total, fv_kernel_cambi_count0, fv_kernel_cambi_find0, fv_kernel_cambi_count1;
extern const FvKernel fv_kernel_cambi_find1, fv_kernel_cambi_count2, fv_kernel_cambi_find2, fv_kernel_cambi_above;

static const FvKernel *const kernels[] = {
    &fv_kernel_cambi_check,       &fv_kernel_cambi_mask,          &fv_kernel_cambi_filter,
    &fv_kernel_cambi_runs,        &fv_kernel_cambi_plan,          &fv_kernel_cambi_contrast,
    &fv_kernel_cambi_contrast_65, &fv_kernel_cambi_contrast_many, &fv_kernel_cambi_contrast_many_65,
    &fv_kernel_cambi_total,       &fv_kernel_cambi_count0,        &fv_kernel_cambi_find0,
    &fv_kernel_cambi_count1,      &fv_kernel_cambi_find1,         &fv_kernel_cambi_count2,
    &fv_kernel_cambi_find2,       &fv_kernel_cambi_above,         NULL,
};

/* A window of 65 pixels; a window of another size; strips with few and with many values; a frame of another size. */
static const FvGpuTrial trials[] = {
    {.options = "window_size=127:tvi_threshold=0.001", .width = 2940, .height = 137, .fill = FV_FILL_CELLS},
    {.options = "tvi_threshold=0.001", .width = 640, .height = 200, .fill = FV_FILL_CELLS},
    {.options = "enc_width=480:enc_height=270", .width = 640, .height = 360, .fill = FV_FILL_CELLS},
    {0},
};

#define CHECK_GROUPS 256
#define FEWEST_ROWS 128 /* minimum number of rows of a workgroup of the contrast kernel */
#define MOST_ROWS 256
#define ENOUGH_GROUPS 128

/*
 * Returns the number of workgroups that check samples. The mask kernel checks them, unless it resamples: then it does
 * not read all samples, and separate workgroups check them.
 */
static int check_groups(const FvCambiPicture *picture)
{
    if (picture->column)
        return CHECK_GROUPS;
    return (int)(fv_gpu_groups(picture->width, FV_CAMBI_GROUP_WIDTH) *
                 fv_gpu_groups(picture->height, FV_CAMBI_MASK_HEIGHT));
}

/*
 * Chooses the number of columns of a workgroup of the contrast kernel: the maximum that leaves room for the counters
 * of enough values, so that one pass or a few passes count a strip. Returns false if even the minimum does not.
 */
static bool divide(FvCambiLevel *level, const FvCambiPicture *picture, int contrasts)
{
    int window = FV_ROUND_UP(picture->radius, 4) + picture->radius + 1, enough = 5 * contrasts + 16;
    for (level->strip = FV_CAMBI_STRIP_COLUMNS; level->strip; level->strip -= FV_CAMBI_CELL) {
        level->pitch = FV_ROUND_UP(level->strip / 4 + window / 4 + window % 4 / 2, 4);
        int slots = FV_CAMBI_ROOM(FV_CAMBI_FEW_COUNTERS, level->pitch);
        slots = slots < FV_CAMBI_SLOTS ? slots : FV_CAMBI_SLOTS;
        if (slots >= (level->strip > FV_CAMBI_CELL ? enough : 2 * contrasts + 1))
            break;
    }
    level->strips = level->strip ? (int)fv_gpu_groups(level->width, level->strip) : 0;
    return level->strip > 0;
}

/*
 * Returns the number of rows of a workgroup, for all scales. A workgroup also counts the rows above its own that are
 * in its windows, and with more rows these matter less; but the scales must still be divided among the whole device.
 * The number is a multiple of a tile's rows.
 */
static int rows_of(const FvCambiLevel *first)
{
    return first->strips * (int)fv_gpu_groups(first->height, MOST_ROWS) >= ENOUGH_GROUPS ? MOST_ROWS : FEWEST_ROWS;
}

/* The layout of one frame's data in the pair's memory. */
typedef struct Layout {
    FvCambiLevel level[FV_CAMBI_SCALES];
    uint64_t unfiltered, checks, end;
} Layout;

static uint64_t reserve(uint64_t *end, uint64_t bytes)
{
    uint64_t at = *end;
    *end = FV_ROUND_UP(at + bytes, 256);
    return at;
}

static Layout lay_out(const FvCambi *cambi, int i, uint64_t start)
{
    const FvCambiPicture *picture = &cambi->picture[i];
    Layout layout = {.end = start};
    layout.unfiltered = layout.end;
    if (picture->half)
        reserve(&layout.end, (uint64_t)FV_ROUND_UP(picture->width, 32) * (uint64_t)picture->height * 2);
    layout.checks = reserve(&layout.end, (uint64_t)check_groups(picture) * 4);
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        FvCambiLevel *level = &layout.level[s];
        level->width = picture->scale[s].width;
        level->height = picture->scale[s].height;
        level->cells = (int)fv_gpu_groups(level->width, FV_CAMBI_CELL);
        level->tiles = (int)fv_gpu_groups(level->height, FV_CAMBI_TILE);
        level->stride = level->cells * FV_CAMBI_CELL;
        divide(level, picture, cambi->tables.contrasts);
        level->rows = rows_of(&layout.level[0]);
        level->groups = level->strips * (int)fv_gpu_groups(level->height, level->rows);
        level->first_group = s ? level[-1].first_group + level[-1].groups : 0;
        level->pooled = (uint32_t)cambi->pooled[i][s];
        uint64_t pixels = (uint64_t)level->stride * (uint64_t)level->height;
        level->image = (uint32_t)reserve(&layout.end, pixels * 2);
        level->runs = (uint32_t)reserve(&layout.end, pixels * 4);
        level->values =
            (uint32_t)reserve(&layout.end, (uint64_t)level->cells * (uint64_t)level->tiles * FV_CAMBI_VALUES * 4);
        level->sets = (uint32_t)reserve(&layout.end, (uint64_t)level->groups * FV_CAMBI_SETS * 4);
        level->c = (uint32_t)reserve(&layout.end, pixels * 4);
        level->sums =
            (uint32_t)reserve(&layout.end, (uint64_t)level->groups * FV_CAMBI_WALKERS * FV_CAMBI_RESULT * 4);
        level->histograms = (uint32_t)reserve(&layout.end, FV_CAMBI_HISTOGRAMS * 4);
    }
    return layout;
}

static Layout layout_of(const FvCambi *cambi, int i)
{
    return lay_out(cambi, i, i ? lay_out(cambi, 0, 0).end : 0);
}

/*
 * Returns the offset in words of a video's positions: first come the tables that all kernels share, then the
 * positions of each video, then the levels of each video.
 */
static size_t positions_at(const FvCambi *cambi, int i)
{
    size_t at = FV_CAMBI_RECIPROCALS + (size_t)cambi->reciprocals;
    for (int before = 0; before < i; before++)
        if (cambi->picture[before].column)
            at += (size_t)(cambi->picture[before].width + cambi->picture[before].height);
    return at;
}

static size_t levels_at(const FvCambi *cambi)
{
    return positions_at(cambi, cambi->pictures);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvCambi *cambi = run->state;
    for (int i = 0; i < cambi->pictures; i++) {
        FvCambiLevel level = {.width = cambi->picture[i].width};
        if (!divide(&level, &cambi->picture[i], cambi->tables.contrasts)) {
            snprintf(why, size, "a window of %d pixels and %d contrasts need more shared memory than its kernels use",
                     cambi->picture[i].window, cambi->tables.contrasts);
            return false;
        }
    }
    uint64_t bytes = layout_of(cambi, cambi->pictures - 1).end;
    if (bytes > UINT32_MAX) {
        snprintf(why, size, "a picture of this size needs more than the 4 GB that its kernels can address");
        return false;
    }
    plan->work_bytes = bytes;
    plan->result_bytes = (size_t)cambi->pictures * FV_CAMBI_SCALES * FV_CAMBI_RESULT * sizeof(uint32_t);
    plan->constant_bytes = levels_at(cambi) * sizeof(uint32_t) + 2 * FV_CAMBI_SCALES * sizeof(FvCambiLevel);
    return true;
}

static void constants(const FvFeatureInstance *run, void *to)
{
    const FvCambi *cambi = run->state;
    uint32_t *word = to;
    memset(word, 0, FV_CAMBI_RECIPROCALS * sizeof *word);
    for (int v = 0; v < FV_CAMBI_LEVELS; v++) {
        word[FV_CAMBI_VISIBLE + v] = cambi->tables.visible[v];
        for (int d = 0; d < cambi->tables.contrasts; d++)
            word[FV_CAMBI_VISIBLE_BITS + d * FV_CAMBI_VALUES + v / 32] |= (cambi->tables.visible[v] >> d & 1)
                                                                          << v % 32;
    }
    memcpy(word + FV_CAMBI_WEIGHTS, fv_cambi_weight, sizeof fv_cambi_weight);
    memcpy(word + FV_CAMBI_RECIPROCALS, cambi->reciprocal, (size_t)cambi->reciprocals * sizeof *word);
    for (int i = 0; i < cambi->pictures; i++) {
        const FvCambiPicture *picture = &cambi->picture[i];
        uint32_t *position = word + positions_at(cambi, i);
        if (picture->column) {
            memcpy(position, picture->column, (size_t)picture->width * sizeof *position);
            memcpy(position + picture->width, picture->row, (size_t)picture->height * sizeof *position);
        }
        Layout layout = layout_of(cambi, i);
        memcpy((FvCambiLevel *)(word + levels_at(cambi)) + i * FV_CAMBI_SCALES, layout.level, sizeof layout.level);
    }
}

/* Records the kernels that compute a video's scales, with the mode filter and the sets of values. */
static void record_pyramid(const FvGpuBatch *batch, const FvCambiPicture *picture, const Layout *layout,
                           FvCambiArgs *args)
{
    if (picture->column && args->check_groups)
        fv_gpu_launch(batch, &fv_kernel_cambi_check, args, (uint32_t)args->check_groups, 1);
    fv_gpu_launch(batch, &fv_kernel_cambi_mask, args, fv_gpu_groups(picture->width, FV_CAMBI_GROUP_WIDTH),
                  fv_gpu_groups(picture->height, FV_CAMBI_MASK_HEIGHT));
    for (args->level = picture->half ? 0 : 1; args->level < FV_CAMBI_SCALES; args->level++) {
        const FvCambiLevel *level = &layout->level[args->level];
        fv_gpu_barrier(batch);
        fv_gpu_launch(batch, &fv_kernel_cambi_filter, args, fv_gpu_groups(level->width, FV_CAMBI_GROUP_WIDTH),
                      fv_gpu_groups(level->height, FV_CAMBI_FILTER_HEIGHT));
    }
    fv_gpu_barrier(batch);
    for (args->level = 0; args->level < FV_CAMBI_SCALES; args->level++) {
        const FvCambiLevel *level = &layout->level[args->level];
        fv_gpu_launch(batch, &fv_kernel_cambi_runs, args, (uint32_t)level->cells,
                      fv_gpu_groups(level->height, FV_CAMBI_RUN_ROWS));
    }
}

static void record_pooling(const FvGpuBatch *batch, const Layout *layout, const FvCambiArgs *args)
{
    static const FvKernel *const count[] = {&fv_kernel_cambi_count0, &fv_kernel_cambi_count1, &fv_kernel_cambi_count2,
                                            &fv_kernel_cambi_above};
    static const FvKernel *const find[] = {&fv_kernel_cambi_find0, &fv_kernel_cambi_find1, &fv_kernel_cambi_find2};
    uint32_t chunks = fv_gpu_groups(layout->level[0].height, FV_CAMBI_SELECT_ROWS);
    fv_gpu_launch(batch, &fv_kernel_cambi_total, args, FV_CAMBI_SCALES, 1);
    for (int round = 0; round < 4; round++) {
        fv_gpu_barrier(batch);
        fv_gpu_launch(batch, count[round], args, chunks, FV_CAMBI_SCALES);
        fv_gpu_barrier(batch);
        if (round < 3)
            fv_gpu_launch(batch, find[round], args, FV_CAMBI_SCALES, 1);
    }
}

static FvCambiArgs arguments(const FvFeatureInstance *run, const FvGpuBatch *batch, int i, const Layout *layout)
{
    const FvCambi *cambi = run->state;
    const FvCambiPicture *picture = &cambi->picture[i];
    return (FvCambiArgs){
        .pairs = batch->pairs,
        .tables = batch->constants,
        .levels = batch->constants + levels_at(cambi) * sizeof(uint32_t) + (size_t)i * sizeof layout->level,
        .work = batch->work,
        .results = batch->results,
        .work_stride = batch->work_stride,
        .result_stride = batch->result_stride,
        .positions = picture->column ? (uint32_t)positions_at(cambi, i) : 0,
        .unfiltered = (uint32_t)layout->unfiltered,
        .checks = (uint32_t)layout->checks,
        .check_groups = picture->depth > 8 && picture->depth < 16 ? check_groups(picture) : 0,
        .reference = i,
        .source_width = picture->source_width,
        .source_height = picture->source_height,
        .depth = picture->depth,
        .width = picture->width,
        .height = picture->height,
        .stride = FV_ROUND_UP(picture->width, 32),
        .undither = picture->undither,
        .half_size = picture->half,
        .mask_threshold = picture->mask_threshold,
        .low = cambi->tables.low,
        .high = cambi->tables.high,
        .contrasts = cambi->tables.contrasts,
        .radius = picture->radius,
    };
}

/* Returns the number of workgroups of kernels that process all levels at once. */
static uint32_t strips_of(const Layout *layout)
{
    const FvCambiLevel *last = &layout->level[FV_CAMBI_SCALES - 1];
    return (uint32_t)(last->first_group + last->groups);
}

/*
 * Records the contrast kernels: for strips with few values, then for the others. The default window of 4K frames,
 * with the default contrasts, has specialised kernels.
 */
static void record_contrast(const FvGpuBatch *batch, const Layout *layout, const FvCambiArgs *args)
{
    bool usual = args->radius == 32 && args->contrasts == 4;
    fv_gpu_launch(batch, usual ? &fv_kernel_cambi_contrast_65 : &fv_kernel_cambi_contrast, args, strips_of(layout),
                  1);
    fv_gpu_launch(batch, usual ? &fv_kernel_cambi_contrast_many_65 : &fv_kernel_cambi_contrast_many, args,
                  strips_of(layout), FV_CAMBI_WALKERS);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvCambi *cambi = run->state;
    FvCambiArgs args[2];
    Layout layout[2];
    for (int i = 0; i < cambi->pictures; i++) {
        layout[i] = layout_of(cambi, i);
        args[i] = arguments(run, batch, i, &layout[i]);
        record_pyramid(batch, &cambi->picture[i], &layout[i], &args[i]);
    }
    fv_gpu_barrier(batch);
    for (int i = 0; i < cambi->pictures; i++)
        fv_gpu_launch(batch, &fv_kernel_cambi_plan, &args[i], strips_of(&layout[i]), 1);
    fv_gpu_barrier(batch);
    for (int i = 0; i < cambi->pictures; i++)
        record_contrast(batch, &layout[i], &args[i]);
    fv_gpu_barrier(batch);
    for (int i = 0; i < cambi->pictures; i++)
        record_pooling(batch, &layout[i], &args[i]);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvCambi *cambi = run->state;
    const uint32_t *word = result;
    for (int i = 0; i < cambi->pictures; i++) {
        FvCambiOutcome *outcome = fv_cambi_outcome(cambi, work, i);
        outcome->invalid = word[FV_CAMBI_INVALID];
        for (int s = 0; s < FV_CAMBI_SCALES; s++, word += FV_CAMBI_RESULT) {
            uint64_t sum = 0;
            for (int piece = 0; piece < FV_CAMBI_PIECES; piece++)
                sum += (uint64_t)word[piece] << 16 * piece;
            if (word[FV_CAMBI_RANK])
                sum += word[FV_CAMBI_RANK] * fv_cambi_fixed(word[FV_CAMBI_KTH] + FV_CAMBI_HALF);
            outcome->sum[s] = sum;
        }
    }
}

const FvGpuFeature fv_cambi_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
    .pairs = 32,
};
