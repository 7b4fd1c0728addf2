/* SSIMULACRA 2 as a feature: each level is a stage, and its jobs are tiles. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "device/analysis.h"
#include "feature/ssimulacra2.h"
#include "os/memory.h"

#define LEAST_SIDE 8      /* minimum side of a level in samples */
#define LEAST_WEIGHT 0.01 /* terms with a smaller weight are left out */

FV_OPTIONS(ss2_options, FV_SS2_OPTIONS);

static const FvTermInfo terms_info[] = {{"difference", FV_TERM_REAL}};
const FvMapInfo fv_ss2_maps[] = {
    {"error", "weighted difference", 0, INFINITY,
     "share of each sample in the difference: a uniform map of value v has the score of v", 0, false}};

/* ---- Set-up ------------------------------------------------------------------------------------------------- */

/* Returns the weight of a term. The order of the weights depends on the number of measured levels. */
static double weight_of(const FvSs2 *ss2, int channel, int level, int term)
{
    double weight = fv_ss2_weights[(channel * ss2->measured + level) * FV_SS2_TERMS + term];
    return weight < LEAST_WEIGHT ? 0 : weight;
}

static void choose_levels(FvSs2 *ss2, const FvFormat *format)
{
    int width = format->width, height = format->height;
    for (ss2->measured = 1; ss2->measured < FV_SS2_LEVELS && width >= LEAST_SIDE && height >= LEAST_SIDE;
         ss2->measured++) {
        width = (width + 1) >> 1;
        height = (height + 1) >> 1;
    }
    width = format->width;
    height = format->height;
    for (int l = 0; l < ss2->measured; l++) {
        struct FvSs2Level *level = &ss2->level[l];
        level->width = width;
        level->height = height;
        level->across = (width + FV_SS2_TILE - 1) / FV_SS2_TILE;
        level->down = (height + FV_SS2_TILE - 1) / FV_SS2_TILE;
        level->stride = (width + 31) / 16 * 16; /* room for a vector past the end of a row */
        for (int c = 0; c < FV_SS2_CHANNELS; c++)
            for (int term = 0; term < FV_SS2_TERMS; term++)
                if (weight_of(ss2, c, l, term) > 0) {
                    level->wanted[c] |= 1u << term;
                    ss2->levels = l + 1;
                }
        for (int c = 0; c < FV_SS2_CHANNELS; c++)
            for (int k = 0; k < FV_SS2_TERMS / 2; k++) {
                level->gain[c][k] = 0 + (float)weight_of(ss2, c, l, k);
                level->gain[c][k] = level->gain[c][k] + (float)weight_of(ss2, c, l, 3 + k);
            }
        width = (width + 1) >> 1;
        height = (height + 1) >> 1;
    }
}

/* Lays out work->frame. */
static size_t lay_out(FvSs2 *ss2, bool map)
{
    size_t bytes = 0;
    for (int l = 0; l < ss2->levels; l++) {
        struct FvSs2Level *level = &ss2->level[l];
        size_t plane = (size_t)level->stride * (size_t)level->height * sizeof(float);
        level->sums = bytes;
        bytes += FV_ROUND_UP(
            (size_t)level->across * (size_t)level->down * sizeof(FvSs2Sum[FV_SS2_CHANNELS][FV_SS2_TERMS]), 64);
        level->light = bytes;
        bytes += l ? 6 * plane : 0;
        level->map = bytes;
        bytes += l && map ? plane : 0;
    }
    return bytes;
}

/* Returns the bytes of the analysis of a tile. */
static size_t tile_bytes(const struct FvSs2Level *level)
{
    size_t bytes = 0;
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        bytes += level->wanted[c] ? FV_SS2_KEPT_FLOATS * sizeof(float) : 0;
    return bytes;
}

/* Lays out work->analysis: at each level the light of the reference, and the analysis of each tile. */
static void lay_out_analysis(FvSs2 *ss2, FvFeatureInstance *run)
{
    for (int l = 0; l < ss2->levels; l++) {
        struct FvSs2Level *level = &ss2->level[l];
        const size_t plane = (size_t)level->stride * (size_t)level->height * sizeof(float);
        level->part = run->analysis_parts;
        run->analysis_parts += level->across * level->down;
        level->shared_light = run->analysis_bytes;
        run->analysis_bytes += FV_ROUND_UP(l ? 3 * plane : 0, 64);
        level->tiles = run->analysis_bytes;
        run->analysis_bytes += (size_t)(level->across * level->down) * tile_bytes(level);
    }
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvSs2Options *options = run->options;
    if (run->ref.width < LEAST_SIDE || run->ref.height < LEAST_SIDE)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "ssimulacra2: %dx%d is too small; the metric takes pictures from %dx%d", run->ref.width,
                       run->ref.height, LEAST_SIDE, LEAST_SIDE);
    FvSs2 *ss2 = run->state;
    choose_levels(ss2, &run->ref);
    ss2->kernels = fv_ss2_kernels(run->isa);
    run->frame_bytes = lay_out(ss2, run->wanted_maps & 1);
    run->scratch_bytes = ss2->kernels->scratch_bytes;
    lay_out_analysis(ss2, run);
    for (int l = 0; l < FV_SS2_LEVELS; l++) {
        const int tiles = l < ss2->levels ? ss2->level[l].across * ss2->level[l].down : 0;
        run->jobs[l] = run->jobs[2 * FV_SS2_LEVELS - 1 - l] = tiles;
    }
    return fv_light_open(&ss2->light, &run->ref, &options->light, options->white, error);
}

/* ---- Stages ------------------------------------------------------------------------------------------------- */

static float *plane_of(const FvSs2 *ss2, const FvWork *work, int l, int i)
{
    const struct FvSs2Level *level = &ss2->level[l];
    uint8_t *planes = work->analysis && i < 3 ? (uint8_t *)fv_analysis_memory(work->analysis) + level->shared_light
                                              : (uint8_t *)work->frame + level->light;
    return (float *)(void *)planes + (size_t)i * (size_t)level->stride * (size_t)level->height;
}

static FvSs2Tile tile_of(const FvFeatureInstance *run, const FvWork *work, int l, int job)
{
    const FvSs2 *ss2 = run->state;
    const struct FvSs2Level *level = &ss2->level[l];
    int x0 = job % level->across * FV_SS2_TILE, y0 = job / level->across * FV_SS2_TILE;
    FvSs2Tile tile = {.light = &ss2->light,
                      .sample_bytes = l ? 0 : fv_format_sample_bytes(&run->ref),
                      .width = level->width,
                      .height = level->height,
                      .x0 = x0,
                      .y0 = y0,
                      .x1 = x0 + FV_SS2_TILE < level->width ? x0 + FV_SS2_TILE : level->width,
                      .y1 = y0 + FV_SS2_TILE < level->height ? y0 + FV_SS2_TILE : level->height};
    const FvFrame *frame[2] = {work->ref, work->dis};
    for (int p = 0; p < 2; p++) {
        tile.picture[p].light_stride = level->stride;
        for (int c = 0; c < 3; c++) {
            tile.picture[p].sample[c] = frame[p]->data[c];
            tile.picture[p].sample_stride[c] = frame[p]->stride[c];
            if (l)
                tile.picture[p].light[c] = plane_of(ss2, work, l, 3 * p + c);
        }
    }
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        tile.wanted[c] = level->wanted[c];
    if (work->analysis)
        tile.analysis = (float *)(void *)((uint8_t *)fv_analysis_memory(work->analysis) + level->tiles +
                                          (size_t)job * tile_bytes(level));
    return tile;
}

static FvSs2Sum (*sums_of(const FvSs2 *ss2, const FvWork *work, int l, int job))[FV_SS2_TERMS]
{
    FvSs2Sum(*sums)[FV_SS2_CHANNELS][FV_SS2_TERMS] = (void *)((uint8_t *)work->frame + ss2->level[l].sums);
    return sums[job];
}

/* Sets where a tile writes the next level's light, for frames [first, last) of the pair. */
static void halve_into(const FvSs2 *ss2, const FvWork *work, int l, int first, int last, FvSs2Tile *tile)
{
    if (l + 1 >= ss2->levels)
        return;
    tile->half_stride = ss2->level[l + 1].stride;
    for (int p = first; p <= last; p++)
        for (int c = 0; c < 3; c++)
            tile->half[p][c] = plane_of(ss2, work, l + 1, 3 * p + c);
}

/* Analyses a tile of the reference, and computes the next level's light. */
static void analyse(const FvFeatureInstance *run, const FvWork *work, int part)
{
    const FvSs2 *ss2 = run->state;
    int l = ss2->levels - 1;
    while (part < ss2->level[l].part)
        l--;
    FvSs2Tile tile = tile_of(run, work, l, part - ss2->level[l].part);
    halve_into(ss2, work, l, 0, 0, &tile);
    ss2->kernels->analyse(&tile, work->scratch);
}

static void measure_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSs2 *ss2 = run->state;
    const int l = work->level;
    FvSs2Tile tile = tile_of(run, work, l, job);
    const int part = ss2->level[l].part;
    halve_into(ss2, work, l, work->analysis ? 1 : 0, 1, &tile);
    if (work->analysis)
        fv_analysis_need(run, work, part + job, part, part + run->jobs[l]);
    FvSs2Sum(*sums)[FV_SS2_TERMS] = sums_of(ss2, work, l, job);
    memset(sums, 0, sizeof(FvSs2Sum[FV_SS2_CHANNELS][FV_SS2_TERMS]));
    ss2->kernels->measure(&tile, sums, work->scratch);
}

static float *map_of(const FvSs2 *ss2, const FvWork *work, int l)
{
    return l ? (float *)(void *)((uint8_t *)work->frame + ss2->level[l].map) : work->map[0].data;
}

/* Computes the error map, from the coarsest level to the frame's size. */
static void draw_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSs2 *ss2 = run->state;
    const int l = work->level;
    FvSs2Tile tile = tile_of(run, work, l, job);
    if (!work->map[0].data)
        return;
    tile.map = map_of(ss2, work, l);
    tile.map_stride = l ? ss2->level[l].stride : work->map[0].stride;
    if (l + 1 < ss2->levels) {
        tile.coarser = map_of(ss2, work, l + 1);
        tile.coarser_stride = ss2->level[l + 1].stride;
    }
    memcpy(tile.gain, ss2->level[l].gain, sizeof tile.gain);
    FvSs2Sum unused[FV_SS2_CHANNELS][FV_SS2_TERMS] = {0};
    ss2->kernels->measure(&tile, unused, work->scratch);
}

static const FvStage stages[] = {
    {"level 0", measure_job, 0, false}, {"level 1", measure_job, 1, false}, {"level 2", measure_job, 2, false},
    {"level 3", measure_job, 3, false}, {"level 4", measure_job, 4, false}, {"level 5", measure_job, 5, false},
    {"map 5", draw_job, 5, true},       {"map 4", draw_job, 4, true},       {"map 3", draw_job, 3, true},
    {"map 2", draw_job, 2, true},       {"map 1", draw_job, 1, true},       {"map 0", draw_job, 0, true},
};

/* ---- The difference ----------------------------------------------------------------------------------------- */

/* Computes the difference, a pure function of the integer sums. */
static double difference_of(const FvSs2 *ss2, FvSs2Sum sums[FV_SS2_LEVELS][FV_SS2_CHANNELS][FV_SS2_TERMS])
{
    double x = 0;
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        for (int l = 0; l < ss2->measured; l++)
            for (int term = 0; term < FV_SS2_TERMS; term++) {
                double weight = weight_of(ss2, c, l, term);
                if (!(weight > 0))
                    continue;
                const uint64_t *limb = sums[l][c][term].limb;
                double value = ((double)limb[0] * 0x1p-11 + (double)limb[1] * 0x1p-41) + (double)limb[2] * 0x1p-71;
                double mean = value / ((double)ss2->level[l].width * ss2->level[l].height);
                x = x + weight * (term < 3 ? mean : sqrt(sqrt(mean)));
            }
    return x;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvSs2 *ss2 = run->state;
    FvSs2Sum total[FV_SS2_LEVELS][FV_SS2_CHANNELS][FV_SS2_TERMS] = {0};
    for (int l = 0; l < ss2->levels; l++)
        for (int job = 0; job < run->jobs[l]; job++)
            for (int c = 0; c < FV_SS2_CHANNELS; c++)
                for (int term = 0; term < FV_SS2_TERMS; term++)
                    for (int i = 0; i < 3; i++)
                        total[l][c][term].limb[i] += sums_of(ss2, work, l, job)[c][term].limb[i];
    row[0].real = difference_of(ss2, total);
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvSs2 *ss2 = run->state;
    fv_light_close(&ss2->light);
}

const FvFeature fv_feature_ssimulacra2 = {
    .name = "ssimulacra2",
    .cost = 26000,
    FV_FEATURE_OPTIONS(ss2_options, FvSs2Options),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_ss2_maps,
    .map_count = 1,
    .state_size = sizeof(FvSs2),
    .init = init,
    .analyse = analyse,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_ss2_gpu),
    .terms = terms,
    .close = close_run,
};
