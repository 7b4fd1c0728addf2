#include "feature/vdm_steps.h"

#include <math.h>
#include <string.h>

#include "arith/scalar.h"
#include "arith/vdm.h"
#include "feature/vdm_region.h"
#include "feature/vdm_time.h"

#define BAND 64 /* rows of a job that works on complete rows */

static FvVdmPlane chain_plane(const FvVdmPlan *plan, const float *frame, int picture, int i)
{
    return fv_vdm_plane_at(frame, plan->chain[picture][i], plan->chain_width[i], plan->chain_height[i]);
}

static FvVdmPlane gauss(const FvVdmPlan *plan, const float *frame, int picture, int level)
{
    return fv_vdm_level_plane(plan, frame, level, plan->level[level].gauss[picture]);
}

static FvVdmPlane mean(const FvVdmPlan *plan, const float *frame, int picture, int level)
{
    return fv_vdm_level_plane(plan, frame, level, plan->level[level].mean[picture]);
}

static FvVdmPlane level_sum(const FvVdmPlan *plan, const float *frame, int level)
{
    return fv_vdm_level_plane(plan, frame, level, plan->level[level].sum);
}

/* ---- Jobs ----------------------------------------------------------------------------------------------------- */

static int bands(int rows, int band)
{
    return (rows + band - 1) / band;
}

int fv_vdm_jobs(const FvVdmPlan *plan, FvVdmStep step)
{
    switch (step) {
    case FV_VDM_STEP_OPTICS:
        return 2 * bands(plan->optics.height, BAND);
    case FV_VDM_STEP_RETINA:
        return plan->resampled ? 1 : plan->halvings ? 2 : 0;
    case FV_VDM_STEP_TIME:
        return plan->parameters.temporal ? 2 * bands(plan->level[0].height, BAND) : 0;
    case FV_VDM_STEP_TRANSIENT:
        return plan->parameters.temporal ? bands(plan->level[FV_VDM_TRANSIENT_LEVEL].height, FV_VDM_MAP_BAND) : 0;
    case FV_VDM_STEP_WEIGH:
        return plan->region.moving;
    case FV_VDM_STEP_REDUCE:
        return 2 * bands(plan->level[1].height, BAND);
    case FV_VDM_STEP_PYRAMID:
        return 2;
    case FV_VDM_STEP_RESPOND:
        return plan->tiles;
    case FV_VDM_STEP_LEVELS:
        return FV_VDM_LEVELS;
    case FV_VDM_STEP_ADD:
        return 1;
    case FV_VDM_STEP_ENLARGE:
        return fv_vdm_other_size(plan);
    default:
        return bands(plan->optics.height, FV_VDM_MAP_BAND);
    }
}

/* The rows of one job. */
typedef struct Rows {
    int first, count;
} Rows;

static Rows rows_of(int job, int band, int height)
{
    int left = height - job * band;
    return (Rows){job * band, left < band ? left : band};
}

static void retina(const FvVdmPlan *plan, const FvVdmPair *pair, int job)
{
    const FvVdmKernels *kernels = plan->kernels;
    if (plan->resampled) {
        FvVdmPlane between = fv_vdm_plane_at(pair->frame, plan->wide, plan->across.outputs, plan->optics.height);
        for (int picture = 0; picture < 2; picture++) {
            FvVdmPlane from = chain_plane(plan, pair->frame, picture, 0);
            FvVdmPlane to = chain_plane(plan, pair->frame, picture, 1);
            fv_vdm_resample(&plan->across, &plan->down, &from, &between, &to);
        }
        return;
    }
    for (int i = 0; i < plan->halvings; i++) {
        FvVdmPlane from = chain_plane(plan, pair->frame, job, i), to = chain_plane(plan, pair->frame, job, i + 1);
        kernels->reduce(&from, 0, to.height, &to, pair->scratch);
    }
}

static void pyramid(const FvVdmPlan *plan, const FvVdmPair *pair, int picture)
{
    int levels = plan->parameters.levels;
    for (int k = 2; k < levels + 2; k++) {
        FvVdmPlane from = gauss(plan, pair->frame, picture, k - 1), to = gauss(plan, pair->frame, picture, k);
        plan->kernels->reduce(&from, 0, to.height, &to, pair->scratch);
    }
    for (int k = 1; k <= levels; k++) {
        FvVdmPlane from = gauss(plan, pair->frame, picture, k + 1), to = mean(plan, pair->frame, picture, k);
        plan->kernels->expand(&from, 0, to.height, &to, pair->scratch);
    }
    if (plan->parameters.temporal)
        fv_vdm_flicker(plan, pair, picture);
}

/* Returns the distance in floats from a response of the reference to that of the distorted frame. */
static size_t seen_stride(const FvVdmPlace *place)
{
    return FV_ROUND_UP(fv_vdm_plane_floats(place->width, place->height), 16);
}

static void respond(const FvVdmPlan *plan, const FvVdmPair *pair, int job)
{
    int k = 0;
    while (k + 1 < plan->parameters.levels && job >= plan->level[k + 1].tile)
        k++;
    const FvVdmPlace *place = &plan->level[k];
    FvVdmLevel level = {.sum = level_sum(plan, pair->frame, k),
                        .weights = plan->weights[k],
                        .transducer = plan->transducer,
                        .q = (float)plan->parameters.q,
                        .pool = plan->parameters.pool};
    FvVdmSeen seen = {{{NULL}}};
    for (int picture = 0; picture < 2; picture++) {
        level.gauss[picture] = gauss(plan, pair->frame, picture, k);
        level.coarse[picture] = gauss(plan, pair->frame, picture, k + 1);
        level.mean[picture] = mean(plan, pair->frame, picture, k + 1);
        for (int o = 0; place->seen[0] && o < 4; o++)
            seen.plane[picture][FV_VDM_RESPONSE + o] =
                pair->frame + place->seen[o] + FV_VDM_MARGIN + picture * seen_stride(place);
    }
    int tile = job - place->tile, x = tile % place->across * FV_VDM_TILE_WIDTH;
    Rows rows = rows_of(tile / place->across, FV_VDM_TILE_HEIGHT, place->height);
    int width = place->width - x < FV_VDM_TILE_WIDTH ? place->width - x : FV_VDM_TILE_WIDTH;
    plan->kernels->respond(&level, (FvVdmTile){x, rows.first, width, rows.count}, place->seen[0] ? &seen : NULL,
                           pair->scratch);
}

static void add_step(const FvVdmPlan *plan, const FvVdmPair *pair)
{
    for (int k = plan->parameters.levels - 1; k > 0; k--) {
        FvVdmPlane sum = level_sum(plan, pair->frame, k), coarse = {NULL, 0, 0, 0};
        if (k + 1 < plan->parameters.levels)
            coarse = level_sum(plan, pair->frame, k + 1);
        plan->kernels->add(coarse.data ? &coarse : NULL, &sum, pair->scratch);
    }
}

static void jnd_rows(const FvVdmPlan *plan, const FvVdmPair *pair, Rows rows, const FvVdmPlane *to, float *work)
{
    bool more = plan->parameters.levels > 1;
    FvVdmPlane sum = level_sum(plan, pair->frame, 0), coarse = more ? level_sum(plan, pair->frame, 1) : sum;
    plan->kernels->jnd(&sum, more ? &coarse : NULL, (float)(1 / plan->parameters.q), rows.first, rows.count, to,
                       work);
}

static FvVdmPlane map_plane(const FvVdmPlan *plan, const float *frame, int i)
{
    return fv_vdm_plane_at(frame, plan->maps[i], plan->chain_width[i], plan->chain_height[i]);
}

static void enlarge(const FvVdmPlan *plan, const FvVdmPair *pair)
{
    int last = plan->resampled ? 1 : plan->halvings;
    FvVdmPlane from = map_plane(plan, pair->frame, last);
    jnd_rows(plan, pair, (Rows){0, from.height}, &from, pair->scratch);
    if (plan->resampled) {
        FvVdmPlane to = map_plane(plan, pair->frame, 0);
        FvVdmPlane between = fv_vdm_plane_at(pair->frame, plan->map_wide, to.width, from.height);
        if (from.width == to.width && from.height == to.height)
            memcpy(to.data, from.data, from.stride * from.height * sizeof *to.data);
        else
            fv_vdm_bilinear(&from, &between, &to);
        return;
    }
    for (int i = last; i > 0; i--) {
        FvVdmPlane wide = map_plane(plan, pair->frame, i - 1);
        from = map_plane(plan, pair->frame, i);
        plan->kernels->expand(&from, 0, wide.height, &wide, pair->scratch);
    }
}

/* Writes row y of the map to all requested maps. */
static void keep_row(const FvVdmPlan *plan, const FvMapPlane *maps, int y, const float *row)
{
    const FvMapPlane *jnd = &maps[FV_VDM_MAP_JND], *chance = &maps[FV_VDM_MAP_PROBABILITY];
    int width = plan->optics.width;
    if (jnd->data)
        memcpy(jnd->data + y * jnd->stride, row, width * sizeof *row);
    for (int x = 0; chance->data && x < width; x++)
        chance->data[y * chance->stride + x] = fv_vdm_probability(row[x], (float)plan->parameters.psych_slope);
}

/* Writes the maps of a level, before coarser levels are added to its sum. */
static void keep_level(const FvVdmPlan *plan, const FvVdmPair *pair, int k)
{
    const FvVdmPlace *place = &plan->level[k];
    const FvMapPlane *own = &pair->maps[FV_VDM_MAP_LEVEL + k], *response = &pair->maps[FV_VDM_MAP_RESPONSE + 4 * k];
    if (k >= plan->parameters.levels) {
        if (own->data)
            *own->data = 0;
        for (int o = 0; o < 4; o++)
            if (response[o].data)
                *response[o].data = 0;
        return;
    }
    FvVdmPlane sum = level_sum(plan, pair->frame, k);
    float inverse_q = (float)(1 / plan->parameters.q);
    for (int y = 0; y < sum.height; y++) {
        for (int x = 0; own->data && x < sum.width; x++)
            own->data[y * own->stride + x] = fv_vdm_jnd(fv_vdm_row(&sum, y)[x], inverse_q);
        for (int o = 0; o < 4; o++) {
            if (!response[o].data)
                continue;
            FvVdmPlane ref = fv_vdm_level_plane(plan, pair->frame, k, place->seen[o]);
            FvVdmPlane dis = fv_vdm_level_plane(plan, pair->frame, k, place->seen[o] + seen_stride(place));
            for (int x = 0; x < sum.width; x++)
                response[o].data[y * response[o].stride + x] = fv_vdm_row(&ref, y)[x] - fv_vdm_row(&dis, y)[x];
        }
    }
}

static void map(const FvVdmPlan *plan, const FvVdmPair *pair, int job)
{
    Rows rows = rows_of(job, FV_VDM_MAP_BAND, plan->optics.height);
    int width = plan->optics.width;
    float *bins = pair->scratch, *band = bins + FV_VDM_BINS;
    FvVdmPlane to = {band + FV_VDM_MARGIN, width, rows.count, fv_vdm_stride(width)};
    float *work = band + fv_vdm_stride(width) * FV_VDM_MAP_BAND + FV_VDM_MARGIN;
    if (fv_vdm_other_size(plan)) {
        to = map_plane(plan, pair->frame, 0);
        to.data += rows.first * to.stride;
    } else {
        FvVdmPlane from_first = to; /* the complete map: row 0 is before the band */
        from_first.data -= rows.first * to.stride;
        jnd_rows(plan, pair, rows, &from_first, work);
    }
    memset(bins, 0, FV_VDM_BINS * sizeof *bins);
    FvVdmCount count = {.least = INFINITY, .bins = (uint32_t *)bins};
    FvVdmSums *sums = (FvVdmSums *)(pair->frame + plan->sums) + (size_t)rows.first * plan->segments;
    for (int y = 0; y < rows.count; y++) {
        const float *row = fv_vdm_row(&to, y);
        for (int x = 0; x < width; x += FV_VDM_SEGMENT)
            plan->kernels->count(row + x, width - x < FV_VDM_SEGMENT ? width - x : FV_VDM_SEGMENT, &count, sums++);
        if (pair->maps)
            keep_row(plan, pair->maps, rows.first + y, row);
    }
    if (fv_weights_of(&plan->region, pair->frame)->weight)
        fv_vdm_region_count(plan, pair, job, rows.first, rows.count, &to);
    ((FvVdmCounted *)(pair->frame + plan->counts))[job] = (FvVdmCounted){count.least, count.greatest, count.visible};
    uint32_t *all = (uint32_t *)(pair->frame + plan->bins), first, last;
    memcpy(&first, &count.least, sizeof first);
    memcpy(&last, &count.greatest, sizeof last);
    for (uint32_t i = first >> 16; i <= last >> 16; i++)
        if (count.bins[i])
            __atomic_fetch_add(&all[i], count.bins[i], __ATOMIC_RELAXED);
}

void fv_vdm_job(const FvVdmPlan *plan, const FvVdmPair *pair, FvVdmStep step, int job)
{
    int picture = job % 2;
    switch (step) {
    case FV_VDM_STEP_OPTICS: {
        FvVdmPlane to = chain_plane(plan, pair->frame, picture, 0);
        Rows rows = rows_of(job / 2, BAND, to.height);
        plan->kernels->optics(&plan->optics, pair->samples[picture], pair->stride[picture], rows.first, rows.count,
                              &to, pair->scratch);
        break;
    }
    case FV_VDM_STEP_RETINA:
        retina(plan, pair, job);
        break;
    case FV_VDM_STEP_TIME: {
        Rows rows = rows_of(job / 2, BAND, plan->level[0].height);
        fv_vdm_follow_rows(plan, pair, picture, rows.first, rows.count);
        break;
    }
    case FV_VDM_STEP_TRANSIENT: {
        Rows rows = rows_of(job, FV_VDM_MAP_BAND, plan->level[FV_VDM_TRANSIENT_LEVEL].height);
        fv_vdm_transient_rows(plan, pair, rows.first, rows.count);
        break;
    }
    case FV_VDM_STEP_WEIGH:
        fv_weigher_weigh(&plan->region, pair->mask, pair->frame);
        break;
    case FV_VDM_STEP_REDUCE: {
        FvVdmPlane from = gauss(plan, pair->frame, picture, 0), to = gauss(plan, pair->frame, picture, 1);
        Rows rows = rows_of(job / 2, BAND, to.height);
        plan->kernels->reduce(&from, rows.first, rows.count, &to, pair->scratch);
        break;
    }
    case FV_VDM_STEP_PYRAMID:
        pyramid(plan, pair, job);
        break;
    case FV_VDM_STEP_RESPOND:
        respond(plan, pair, job);
        break;
    case FV_VDM_STEP_LEVELS:
        keep_level(plan, pair, job);
        break;
    case FV_VDM_STEP_ADD:
        memset(pair->frame + plan->bins, 0, FV_VDM_BINS * sizeof(float));
        fv_vdm_region_begin(plan, pair->frame);
        add_step(plan, pair);
        break;
    case FV_VDM_STEP_ENLARGE:
        enlarge(plan, pair);
        break;
    default:
        map(plan, pair, job);
        break;
    }
}

/* ---- Result --------------------------------------------------------------------------------------------------- */

FvVdmSums *fv_vdm_sums(const FvVdmPlan *plan, float *frame)
{
    return (FvVdmSums *)(frame + plan->sums);
}

void fv_vdm_counted(const FvVdmPlan *plan, float *frame, const FvVdmCount *count)
{
    FvVdmCounted *counts = (FvVdmCounted *)(frame + plan->counts);
    for (int i = 0; i < bands(plan->optics.height, FV_VDM_MAP_BAND); i++)
        counts[i] = (FvVdmCounted){count->least, count->greatest, i ? 0 : count->visible};
    memcpy(frame + plan->bins, count->bins, FV_VDM_BINS * sizeof *count->bins);
}

void fv_vdm_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row)
{
    const FvVdmSums *sums = (const FvVdmSums *)(frame + plan->sums);
    const FvVdmCounted *counts = (const FvVdmCounted *)(frame + plan->counts);
    const uint32_t *bins = (const uint32_t *)(frame + plan->bins);
    int height = plan->optics.height;
    int64_t samples = (int64_t)plan->optics.width * height;
    memset(row, 0, FV_VDM_TERMS * sizeof *row);
    if (fv_weights_of(&plan->region, frame)->weight) {
        fv_vdm_region_terms(plan, frame, row);
        return;
    }
    for (int i = 0; i < height * plan->segments; i++) {
        row[FV_VDM_TERM_JND].real += (double)sums[i].jnd;
        row[FV_VDM_TERM_SQUARE].real += (double)sums[i].square;
        row[FV_VDM_TERM_FOURTH].real += (double)sums[i].fourth;
    }
    row[FV_VDM_TERM_LEAST].real = INFINITY;
    for (int i = 0; i < bands(height, FV_VDM_MAP_BAND); i++) {
        if (counts[i].least < row[FV_VDM_TERM_LEAST].real)
            row[FV_VDM_TERM_LEAST].real = counts[i].least;
        if (counts[i].greatest > row[FV_VDM_TERM_GREATEST].real)
            row[FV_VDM_TERM_GREATEST].real = counts[i].greatest;
        row[FV_VDM_TERM_VISIBLE].integer += (int64_t)counts[i].visible;
    }
    fv_vdm_percentiles(bins, NULL, samples, row);
}
