/* Butteraugli as a feature: first level 1, of half the size, then level 0. The jobs are tiles. */
#include "feature/butteraugli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/butteraugli.h"
#include "arith/dmath.h"
#include "base/error.h"
#include "os/memory.h"

#define LEAST_HALVED 15 /* minimum side of frames, in samples, for which level 1 is computed */

FV_OPTIONS(butter_options, FV_BUTTER_OPTIONS);

static const FvTermInfo terms_info[] = {{"most", FV_TERM_REAL},
                                        {"norm3", FV_TERM_REAL},
                                        {"norm6", FV_TERM_REAL},
                                        {"norm12", FV_TERM_REAL},
                                        {"norm5", FV_TERM_REAL}};
static const int norms[] = {3, 6, 12, 5};
#define NORMS ((int)(sizeof norms / sizeof *norms))
const FvMapInfo fv_butter_maps[] = {
    {"distance", "butteraugli", 0, INFINITY, "distance at each sample: about 1 is just noticeable", 8, false}};

/* ---- Set-up ------------------------------------------------------------------------------------------------- */

static const struct {
    double sigma;
    int reach;
} blurs[FV_BUTTER_BLURS] = {{7.15593339443, 16}, {3.22489901262, 7}, {1.56416327805, 3}, {2.7, 6}};

/*
 * Fills n factors: at each of n positions, the weight of all taps divided by the weight of the taps inside the frame.
 */
static void make_gains(FvButterBlur blur, int n, float *gains)
{
    int reach = blurs[blur].reach;
    double sigma = blurs[blur].sigma, tap[17], total = 0;
    for (int i = 0; i <= reach; i++) {
        tap[i] = fv_d_exp2(-(double)(i * i) / (2 * sigma * sigma) * FV_D_LOG2_E);
        total = total + (i ? 2 : 1) * tap[i];
    }
    for (int x = 0; x < n; x++) {
        double inside = 0;
        for (int i = -reach; i <= reach; i++)
            if (x + i >= 0 && x + i < n)
                inside = inside + tap[abs(i)];
        gains[x] = x >= reach && x + reach < n ? 1 : (float)(total / inside);
    }
}

/* Returns the factors of a blur at each column (rows: false) or each row of a level. */
static const float *gains_at(const FvButter *butter, int level, FvButterBlur blur, bool rows)
{
    const struct FvButterLevel *l = &butter->level[level];
    return l->gain + (size_t)blur * (size_t)(l->width + l->height) + (rows ? l->width : 0);
}

static FvStatus make_level(struct FvButterLevel *level, int width, int height, FvError *error)
{
    size_t bytes = FV_BUTTER_BLURS * ((size_t)width + (size_t)height) * sizeof(float);
    level->width = width;
    level->height = height;
    level->across = (width + FV_BUTTER_TILE_WIDTH - 1) / FV_BUTTER_TILE_WIDTH;
    level->down = (height + FV_BUTTER_TILE_HEIGHT - 1) / FV_BUTTER_TILE_HEIGHT;
    /* FV_ALIGN more bytes, because vectors read past the end. */
    level->gain = fv_alloc_zero(bytes + FV_ALIGN);
    if (!level->gain)
        return fv_fail_memory(error, bytes);
    float *gain = level->gain;
    for (int blur = 0; blur < FV_BUTTER_BLURS; blur++, gain += width + height) {
        make_gains((FvButterBlur)blur, width, gain);
        make_gains((FvButterBlur)blur, height, gain + width);
    }
    return FV_OK;
}

static int extended(int side)
{
    return side < FV_BUTTER_LEAST ? FV_BUTTER_LEAST : side;
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvButterOptions *options = run->options;
    FvButter *butter = run->state;
    int width = extended(run->ref.width), height = extended(run->ref.height);
    butter->kernels = fv_butter_kernels(run->isa);
    butter->intensity = (float)options->intensity;
    butter->left = (width - run->ref.width) / 2;
    butter->above = (height - run->ref.height) / 2;
    butter->levels = width >= LEAST_HALVED && height >= LEAST_HALVED ? 2 : 1;
    for (int l = 0; l < butter->levels; l++) {
        FvStatus status = make_level(&butter->level[l], (width + l) >> l, (height + l) >> l, error);
        if (status)
            return status;
    }
    butter->half =
        FV_ROUND_UP((size_t)butter->level[0].across * (size_t)butter->level[0].down * sizeof(FvButterSums), FV_ALIGN);
    butter->half_stride = (butter->level[1].width + 31) / 16 * 16;
    run->frame_bytes = butter->half + (size_t)butter->half_stride * (size_t)butter->level[1].height * sizeof(float);
    run->scratch_bytes = butter->kernels->scratch_bytes;
    FvWeigher *weigher = &butter->weigher;
    FvStatus status = fv_weigher_open_plane(weigher, &options->region, &run->ref, 0, run->ref.width, run->ref.height,
                                            "butteraugli", &run->frame_bytes, error);
    if (status)
        return status;
    const struct FvButterLevel *full = &butter->level[0], *half = &butter->level[1];
    run->jobs[0] = weigher->moving;
    run->jobs[1] = half->across * half->down;
    run->jobs[2] = full->across * full->down;
    run->jobs[3] = fv_weigher_weighs(weigher) ? full->down : 0;
    if (fv_weigher_weighs(weigher)) {
        butter->distances = FV_ROUND_UP(run->frame_bytes, FV_ALIGN);
        butter->distances_stride = (run->ref.width + 31) / 16 * 16;
        run->frame_bytes =
            butter->distances + (size_t)butter->distances_stride * (size_t)run->ref.height * sizeof(float);
    }
    return fv_light_open(&butter->light, &run->ref, &options->light, options->intensity, error);
}

/* ---- Stages ------------------------------------------------------------------------------------------------- */

static float *half_of(const FvButter *butter, const FvWork *work)
{
    return (float *)(void *)((uint8_t *)work->frame + butter->half);
}

/* Returns where distances go: to a requested map, to memory for weighting, or nowhere. */
static FvMapPlane distances_of(const FvButter *butter, const FvWork *work)
{
    if (work->map && work->map[0].data)
        return work->map[0];
    if (!fv_weights_of(&butter->weigher, work->frame)->weight)
        return (FvMapPlane){.data = NULL};
    return (FvMapPlane){(float *)(void *)((uint8_t *)work->frame + butter->distances), butter->distances_stride};
}

static void measure_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const int l = work->level;
    const FvButter *butter = run->state;
    const struct FvButterLevel *level = &butter->level[l];
    int x0 = job % level->across * FV_BUTTER_TILE_WIDTH, y0 = job / level->across * FV_BUTTER_TILE_HEIGHT;
    FvButterTile tile = {.light = &butter->light,
                         .intensity = butter->intensity,
                         .level = l,
                         .width = level->width,
                         .height = level->height,
                         .left = butter->left,
                         .above = butter->above,
                         .x0 = x0,
                         .y0 = y0,
                         .x1 = x0 + FV_BUTTER_TILE_WIDTH < level->width ? x0 + FV_BUTTER_TILE_WIDTH : level->width,
                         .y1 =
                             y0 + FV_BUTTER_TILE_HEIGHT < level->height ? y0 + FV_BUTTER_TILE_HEIGHT : level->height};
    const FvFrame *frame[2] = {work->ref, work->dis};
    for (int i = 0; i < 6; i++) {
        tile.sample[i / 3][i % 3] = frame[i / 3]->data[i % 3];
        tile.sample_stride[i / 3][i % 3] = frame[i / 3]->stride[i % 3];
    }
    for (int blur = 0; blur < FV_BUTTER_BLURS; blur++) {
        tile.gain_x[blur] = gains_at(butter, l, (FvButterBlur)blur, false);
        tile.gain_y[blur] = gains_at(butter, l, (FvButterBlur)blur, true);
    }
    FvButterSums *sums = NULL;
    if (l) {
        tile.map = half_of(butter, work);
        tile.map_stride = butter->half_stride;
    } else {
        sums = (FvButterSums *)work->frame + job;
        *sums = (FvButterSums){0};
        tile.half = butter->levels > 1 ? half_of(butter, work) : NULL;
        tile.half_stride = butter->half_stride;
        tile.map = distances_of(butter, work).data;
        tile.map_stride = distances_of(butter, work).stride;
    }
    (run->ref.depth > 8 ? butter->kernels->tile16 : butter->kernels->tile8)(&tile, sums, work->scratch);
}

static void weigh_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    fv_weigher_weigh(&((const FvButter *)run->state)->weigher, work->mask, work->frame);
}

static void carry(uint64_t digit[FV_BUTTER_DIGITS])
{
    for (int j = 0; j + 1 < FV_BUTTER_DIGITS; j++) {
        digit[j + 1] += digit[j] >> 30;
        digit[j] &= 0x3fffffff;
    }
}

/*
 * Computes the weighted sums of a row of tiles. They replace the sums of its first tile; those of the other tiles are
 * then unused.
 */
static void sum_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvButter *butter = run->state;
    const FvWeights *weights = fv_weights_of(&butter->weigher, work->frame);
    if (!weights->weight)
        return;
    const FvMapPlane map = distances_of(butter, work);
    const int across = butter->level[0].across, first = job * FV_BUTTER_TILE_HEIGHT;
    const int end = first + FV_BUTTER_TILE_HEIGHT < run->ref.height ? first + FV_BUTTER_TILE_HEIGHT : run->ref.height;
    FvButterSums *sums = (FvButterSums *)work->frame + job * across;
    memset(sums, 0, (size_t)across * sizeof *sums);
    for (int y = first; y < end; y++) {
        const uint32_t *weight = weights->weight + y * weights->stride;
        for (int x = 0; x < run->ref.width; x++) {
            const float distance = map.data[y * map.stride + x];
            const FvButterPowers powers = fv_butter_powers(distance);
            fv_butter_add(sums->digit[0], fv_bits(powers.third), weight[x]);
            fv_butter_add(sums->digit[1], fv_bits(powers.sixth), weight[x]);
            fv_butter_add(sums->digit[2], fv_bits(powers.twelfth), weight[x]);
            fv_butter_add(sums->digit[3], fv_bits(powers.fifth), weight[x]);
            if (weight[x] && distance > sums->most)
                sums->most = distance;
        }
        for (int k = 0; k < NORMS; k++)
            carry(sums->digit[k]);
    }
}

static const FvStage stages[] = {
    {"weights", weigh_job, 0, false},
    {"half", measure_job, 1, false},
    {"full", measure_job, 0, false},
    {"weighted sums", sum_job, 0, false},
};

/* ---- Norms -------------------------------------------------------------------------------------------------- */

static double value_of(const uint64_t digit[FV_BUTTER_DIGITS])
{
    double value = 0;
    for (int j = FV_BUTTER_DIGITS - 1; j >= 0; j--)
        value = value + ldexp((double)digit[j], 30 * j - 120);
    return value;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvWeigher *weigher = &((const FvButter *)run->state)->weigher;
    const FvWeights *weights = fv_weights_of(weigher, work->frame);
    const FvButterSums *sums = work->frame;
    FvButterSums total = {0};
    if (weigher->moving) {
        FvStatus status = fv_weights_check(weigher, weights, work->mask_number, error);
        if (status)
            return status;
    }
    for (int job = 0; job < run->jobs[2]; job++) {
        for (int i = 0; i < NORMS * FV_BUTTER_DIGITS; i++)
            total.digit[i / FV_BUTTER_DIGITS][i % FV_BUTTER_DIGITS] +=
                sums[job].digit[i / FV_BUTTER_DIGITS][i % FV_BUTTER_DIGITS];
        if (sums[job].most > total.most)
            total.most = sums[job].most;
    }
    double samples = (double)weights->sum;
    row[0].real = total.most;
    for (int k = 0; k < NORMS; k++)
        row[1 + k].real = fv_d_pow(value_of(total.digit[k]) / samples, 1.0 / norms[k]);
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvButter *butter = run->state;
    for (int l = 0; l < FV_BUTTER_LEVELS; l++)
        fv_free(butter->level[l].gain);
    fv_weigher_close(&butter->weigher);
    fv_light_close(&butter->light);
}

const FvFeature fv_feature_butteraugli = {
    .name = "butteraugli",
    .cost = 98000,
    FV_FEATURE_OPTIONS(butter_options, FvButterOptions),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_butter_maps,
    .map_count = 1,
    .state_size = sizeof(FvButter),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_butter_gpu),
    .terms = terms,
    .close = close_run,
};
