/* ColorVideoVDP as a feature: computes the visible difference of a pair of frames, also from the previous frames. */
#include "feature/cvvdp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define LEAST_SIDE 8 /* minimum side of a frame in samples */
#define BAND_ROWS 16 /* rows per job */

/*
 * The feature does not check the ranges of its options: the metric of the same name has the same options and checks
 * them. The defaults are the same as well.
 */
#define ANY_REAL(name, value) (name, NULL, value, -INFINITY, INFINITY, NULL, "")
#define ANY_INT(name, value) (name, NULL, value, 0, 1024, NULL, "")
#define OPTION_LIST(X)                                                                                               \
    X(FvCvvdpParameters, light.matrix, TEXT, ("matrix", NULL, "bt709", fv_light_matrices, ""))                       \
    X(FvCvvdpParameters, light.range, TEXT, ("range", NULL, "auto", fv_light_ranges, ""))                            \
    X(FvCvvdpParameters, light.location, TEXT, ("chroma_location", NULL, "left", fv_light_locations, ""))            \
    X(FvCvvdpParameters, transfer, INT, ANY_INT("transfer", FV_CVVDP_SRGB))                                          \
    X(FvCvvdpParameters, primaries, INT, ANY_INT("primaries", FV_CVVDP_BT709))                                       \
    X(FvCvvdpParameters, peak, REAL, ANY_REAL("peak", 200))                                                          \
    X(FvCvvdpParameters, black, REAL, ANY_REAL("black", 0.2))                                                        \
    X(FvCvvdpParameters, ambient, REAL, ANY_REAL("ambient", 250))                                                    \
    X(FvCvvdpParameters, reflectance, REAL, ANY_REAL("reflectance", 0.005))                                          \
    X(FvCvvdpParameters, exposure, REAL, ANY_REAL("exposure", 1))                                                    \
    X(FvCvvdpParameters, ppd, REAL, ANY_REAL("ppd", 75.40244934516303))                                              \
    X(FvCvvdpParameters, fps, REAL, ANY_REAL("fps", 25))                                                             \
    X(FvCvvdpParameters, still, BOOL, ("still", NULL, 0, ""))
FV_OPTIONS(cvvdp_options, OPTION_LIST);

static const FvTermInfo terms_info[FV_CVVDP_TERMS] = {{"clip", FV_TERM_REAL}, {"still", FV_TERM_REAL}};
const FvMapInfo fv_cvvdp_maps[1] = {
    {"difference", "JOD / 10", 0, INFINITY, "0: no difference is seen; 1: quality is 10 JOD lower", 1, false}};

enum { FIRST_FRAME, TIME, FIRST_LEVEL, PYRAMID, BANDS, POOL, COARSE_MAP, MAP }; /* stages */

/* ---- Set-up ------------------------------------------------------------------------------------------------- */

static int channels_of(const FvCvvdp *cvvdp)
{
    return cvvdp->clip ? FV_CVVDP_CHANNELS : FV_CVVDP_CHANNELS - 1;
}

static size_t plane_bytes(const struct FvCvvdpLevel *level)
{
    return FV_ROUND_UP(fv_vdm_plane_floats(level->width, level->height) * sizeof(float), 64);
}

/* Lays out work->frame, which starts with the terms. */
static size_t lay_out(FvCvvdp *cvvdp, int width, int height, bool map)
{
    size_t bytes = FV_ROUND_UP(FV_CVVDP_TERMS * sizeof(double), 64);
    for (int l = 0; l <= cvvdp->bands; l++) {
        struct FvCvvdpLevel *level = &cvvdp->level[l];
        level->width = width;
        level->height = height;
        level->across = (width + FV_CVVDP_TILE - 1) / FV_CVVDP_TILE;
        level->first = cvvdp->tiles;
        if (l < cvvdp->bands)
            cvvdp->tiles += level->across * ((height + FV_CVVDP_TILE_ROWS - 1) / FV_CVVDP_TILE_ROWS);
        level->planes = bytes;
        bytes += 2 * (size_t)channels_of(cvvdp) * plane_bytes(level);
        level->drawn = bytes;
        bytes += map && l ? plane_bytes(level) : 0;
        level->sums = bytes;
        bytes += FV_ROUND_UP((size_t)(cvvdp->tiles - level->first) * FV_CVVDP_CHANNELS * sizeof(FvCvvdpSum), 64);
        width = (width + 1) >> 1;
        height = (height + 1) >> 1;
    }
    return bytes;
}

static size_t history_bytes(const FvCvvdp *cvvdp)
{
    return (size_t)cvvdp->apart * (size_t)cvvdp->frames * sizeof(FvCvvdpBlock);
}

static size_t begun_bytes(const FvCvvdp *cvvdp)
{
    return (size_t)cvvdp->level[0].height * (size_t)cvvdp->blocks * sizeof(FvCvvdpBegun);
}

static double light_of(const void *parameters, double v)
{
    return fv_cvvdp_light(parameters, v);
}

/* Returns the number of jobs for a plane of `height` rows. */
static int bands_of_rows(int height)
{
    return (height + BAND_ROWS - 1) / BAND_ROWS;
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvCvvdpParameters *parameters = run->options;
    if (run->ref.width < LEAST_SIDE || run->ref.height < LEAST_SIDE)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "cvvdp: %dx%d is too small; the metric takes pictures from %dx%d", run->ref.width,
                       run->ref.height, LEAST_SIDE, LEAST_SIDE);
    if (parameters->ppd < 5 || parameters->ppd > 480)
        return fv_fail(error, FV_ERROR_USAGE,
                       "cvvdp: display and distance make %.1f pixels per degree, and the metric takes 5 to 480; "
                       "choose another distance, or give ppd=",
                       parameters->ppd);
    if (parameters->fps != 0 && !(parameters->fps >= 1 && parameters->fps <= 480))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "cvvdp: the videos have %g frames a second, and the metric takes 1 to 480; give fps=", parameters->fps);
    FvCvvdp *cvvdp = run->state;
    cvvdp->parameters = *parameters;
    cvvdp->clip = !parameters->still && parameters->fps > 0;
    cvvdp->kernels = fv_cvvdp_kernels(run->isa);
    FvStatus status = fv_cvvdp_tables(cvvdp, run->ref.width, run->ref.height, error);
    if (status)
        return status;
    fv_cvvdp_map_of(&cvvdp->map, channels_of(cvvdp));
    run->frame_bytes = lay_out(cvvdp, run->ref.width, run->ref.height, run->wanted_maps & 1);
    run->scratch_bytes = fv_cvvdp_work_floats(run->ref.width) * sizeof(float);
    run->jobs[FIRST_FRAME] = cvvdp->clip;
    run->jobs[TIME] = run->jobs[MAP] = bands_of_rows(run->ref.height);
    run->jobs[FIRST_LEVEL] = bands_of_rows(cvvdp->level[1].height);
    run->jobs[PYRAMID] = 2 * channels_of(cvvdp);
    run->jobs[BANDS] = cvvdp->tiles;
    if (cvvdp->clip) {
        cvvdp->frames = 2 * cvvdp->time.half + 1;
        cvvdp->blocks = (run->ref.width + FV_CVVDP_BLOCK - 1) / FV_CVVDP_BLOCK;
        /* An odd distance, so that the same block of all frames is in different cache lines. */
        cvvdp->apart = (ptrdiff_t)FV_ROUND_UP((size_t)cvvdp->blocks * (size_t)run->ref.height, 32) + 1;
        run->lasting_bytes = history_bytes(cvvdp) + begun_bytes(cvvdp);
        run->remembers = 2 * cvvdp->time.half;
    }
    return fv_light_open_curve(&cvvdp->light, &run->ref, &parameters->light, light_of, &cvvdp->parameters, error);
}

/* ---- Planes of a frame -------------------------------------------------------------------------------------- */

static FvVdmPlane plane_at(const FvCvvdp *cvvdp, const FvWork *work, int l, size_t offset)
{
    const struct FvCvvdpLevel *level = &cvvdp->level[l];
    float *data = (float *)(void *)((uint8_t *)work->frame + offset) + FV_VDM_MARGIN;
    return (FvVdmPlane){data, level->width, level->height, fv_vdm_stride(level->width)};
}

static FvCvvdpView view_of(const FvCvvdp *cvvdp, const FvWork *work, int channels)
{
    FvCvvdpView view = {.channels = channels};
    for (int l = 0; l <= cvvdp->bands; l++) {
        const struct FvCvvdpLevel *level = &cvvdp->level[l];
        for (int i = 0; i < 2 * channels; i++)
            view.plane[l][i] = plane_at(cvvdp, work, l, level->planes + (size_t)i * plane_bytes(level));
        view.drawn[l] = plane_at(cvvdp, work, l, level->drawn);
    }
    if (work->map)
        view.drawn[0] =
            (FvVdmPlane){work->map[0].data, cvvdp->level[0].width, cvvdp->level[0].height, work->map[0].stride};
    return view;
}

static FvCvvdpSum *sums_of(const FvCvvdp *cvvdp, const FvWork *work, int l, int tile)
{
    FvCvvdpSum(*sums)[FV_CVVDP_CHANNELS] = (void *)((uint8_t *)work->frame + cvvdp->level[l].sums);
    return sums[tile];
}

static int rows_of_band(int height, int band)
{
    int left = height - band * BAND_ROWS;
    return left < BAND_ROWS ? left : BAND_ROWS;
}

/* ---- Channels ----------------------------------------------------------------------------------------------- */

/*
 * Writes the opponent planes of columns [x0, x1) of a row of a frame, at most FV_LIGHT_MOST columns, in blocks that
 * are `step` floats apart.
 */
static void convert_row(const FvFeatureInstance *run, const FvWork *work, int picture, int x0, int x1, int y,
                        float *const to[3], ptrdiff_t step)
{
    const FvCvvdp *cvvdp = run->state;
    const FvFrame *frame = picture ? work->ref : work->dis;
    const FvLightKernels *light = fv_light_kernels(run->isa);
    _Alignas(64) float rgb[3][FV_LIGHT_MOST + 64];
    const uint8_t *sample[3] = {frame->data[0], frame->data[1], frame->data[2]};
    (run->ref.depth > 8 ? light->row16 : light->row8)(&cvvdp->light, sample, frame->stride, x0, x1, y,
                                                      (float *const[3]){rgb[0], rgb[1], rgb[2]});
    const float *const from[3] = {rgb[0], rgb[1], rgb[2]};
    cvvdp->kernels->opponent(&cvvdp->opponent, from, x1 - x0, to, step);
}

/* Writes a row of one still picture, without filters in time. */
static void still_row(const FvFeatureInstance *run, const FvWork *work, const FvCvvdpView *view, int y)
{
    int width = run->ref.width;
    for (int picture = 0; picture < 2; picture++)
        for (int x = 0; x < width; x += FV_LIGHT_MOST) {
            float *to[3];
            for (int i = 0; i < 3; i++)
                to[i] = fv_vdm_row(&view->plane[0][2 * i + picture], y) + x;
            convert_row(run, work, picture, x, x + FV_LIGHT_MOST < width ? x + FV_LIGHT_MOST : width, y, to,
                        FV_CVVDP_BLOCK);
        }
}

/*
 * Returns the blocks of row y of the first frame of the history. Each frame has its own memory, so frames that never
 * arrive use none.
 */
static FvCvvdpBlock *history_row(const FvCvvdp *cvvdp, const FvWork *work, int y)
{
    return (FvCvvdpBlock *)work->lasting + (ptrdiff_t)y * cvvdp->blocks;
}

static void remember_row(const FvFeatureInstance *run, const FvWork *work, int y)
{
    const FvCvvdp *cvvdp = run->state;
    FvCvvdpBlock *row = history_row(cvvdp, work, y) + work->index % cvvdp->frames * cvvdp->apart;
    int width = run->ref.width;
    for (int picture = 0; picture < 2; picture++)
        for (int x = 0; x < width; x += FV_LIGHT_MOST) {
            FvCvvdpBlock *block = row + x / FV_CVVDP_BLOCK;
            float *const to[3] = {(*block)[picture][0], (*block)[picture][1], (*block)[picture][2]};
            convert_row(run, work, picture, x, x + FV_LIGHT_MOST < width ? x + FV_LIGHT_MOST : width, y, to,
                        sizeof(FvCvvdpBlock) / sizeof(float));
        }
}

/*
 * Filters a row in time. An instance gets frames in order, either from an even one on or from 2 * half frames before
 * those that it scores.
 */
static void filter_row(const FvCvvdp *cvvdp, const FvWork *work, const FvCvvdpView *view, int y)
{
    ptrdiff_t order[2 * FV_CVVDP_HALF + 1];
    float *to[FV_CVVDP_PLANES];
    FvCvvdpBegun *next = (FvCvvdpBegun *)(void *)((uint8_t *)work->lasting + history_bytes(cvvdp));
    const bool begun = work->index % 2;
    if (work->skipped && begun)
        return;
    for (int i = 0; i < cvvdp->frames; i++) {
        int64_t frame = work->index - cvvdp->frames + 1 + i;
        order[i] = (frame < 0 ? 0 : frame) % cvvdp->frames * cvvdp->apart;
    }
    for (int i = 0; i < FV_CVVDP_PLANES; i++)
        to[i] = fv_vdm_row(&view->plane[0][i], y);
    cvvdp->kernels->filter(&cvvdp->time, history_row(cvvdp, work, y), order, cvvdp->level[0].width,
                           work->skipped ? NULL : to, next + (size_t)y * (size_t)cvvdp->blocks, begun);
}

static void level0_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    int first = job * BAND_ROWS, end = first + rows_of_band(run->ref.height, job);
    for (int y = first; y < end; y++) {
        if (!cvvdp->clip) {
            still_row(run, work, &view, y);
            continue;
        }
        remember_row(run, work, y);
        filter_row(cvvdp, work, &view, y);
    }
}

/* ---- Pyramid ------------------------------------------------------------------------------------------------ */

static void level1_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    if (work->skipped)
        return;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    for (int i = 0; i < 2 * view.channels; i++)
        cvvdp->kernels->reduce(&view.plane[0][i], job * BAND_ROWS, rows_of_band(cvvdp->level[1].height, job),
                               &view.plane[1][i], work->scratch);
}

static void make_pyramid(const FvCvvdp *cvvdp, const FvWork *work, const FvCvvdpView *view, int plane, int first)
{
    for (int l = first; l <= cvvdp->bands; l++)
        cvvdp->kernels->reduce(&view->plane[l - 1][plane], 0, cvvdp->level[l].height, &view->plane[l][plane],
                               work->scratch);
}

static void pyramid_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    if (work->skipped)
        return;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    make_pyramid(cvvdp, work, &view, job, 2);
}

/* ---- Bands -------------------------------------------------------------------------------------------------- */

static void measure_tile(const FvCvvdp *cvvdp, const FvWork *work, const FvCvvdpView *view, int l, int number)
{
    const struct FvCvvdpLevel *level = &cvvdp->level[l];
    int x = number % level->across * FV_CVVDP_TILE, y = number / level->across * FV_CVVDP_TILE_ROWS;
    FvCvvdpTile tile = {
        .fine = view->plane[l],
        .coarse = view->plane[l + 1],
        .channels = view->channels,
        .x = x,
        .y = y,
        .width = x + FV_CVVDP_TILE < level->width ? FV_CVVDP_TILE : level->width - x,
        .height = y + FV_CVVDP_TILE_ROWS < level->height ? FV_CVVDP_TILE_ROWS : level->height - y,
        .nodes = (const float(*)[FV_CVVDP_CHANNELS][2])level->nodes,
        .masking = &cvvdp->masking,
        .map = &cvvdp->map,
        .drawn = view->channels == channels_of(cvvdp) && work->map && work->map[0].data ? &view->drawn[l] : NULL,
        .share = l ? 0.5f : 1,
    };
    FvCvvdpSum *sums = sums_of(cvvdp, work, l, number);
    memset(sums, 0, FV_CVVDP_CHANNELS * sizeof *sums);
    cvvdp->kernels->tile(&tile, sums, work->scratch);
}

static void tile_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    if (work->skipped)
        return;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    int l = 0;
    while (job >= cvvdp->level[l + 1].first)
        l++;
    measure_tile(cvvdp, work, &view, l, job - cvvdp->level[l].first);
}

static double pooled(const FvCvvdp *cvvdp, const FvWork *work, const FvCvvdpView *view)
{
    FvCvvdpSum total[FV_CVVDP_LEVELS][FV_CVVDP_CHANNELS];
    memset(total, 0, sizeof total);
    for (int l = 0; l < cvvdp->bands; l++)
        for (int tile = 0; tile < cvvdp->level[l + 1].first - cvvdp->level[l].first; tile++)
            for (int c = 0; c < view->channels; c++)
                for (int i = 0; i < 2; i++)
                    total[l][c].limb[i] += sums_of(cvvdp, work, l, tile)[c].limb[i];
    return fv_cvvdp_pool(cvvdp, view, (const FvCvvdpSum(*)[FV_CVVDP_CHANNELS])total);
}

/*
 * Measures the first frame of a clip as a still picture, because it may be the only frame. The job uses the clip's
 * planes.
 */
static void first_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    double *difference = work->frame;
    difference[FV_CVVDP_TERM_STILL] = 0;
    if (work->index || work->skipped)
        return;
    FvCvvdpView view = view_of(cvvdp, work, FV_CVVDP_CHANNELS - 1);
    for (int y = 0; y < run->ref.height; y++)
        still_row(run, work, &view, y);
    for (int i = 0; i < 2 * view.channels; i++)
        make_pyramid(cvvdp, work, &view, i, 1);
    for (int l = 0; l < cvvdp->bands; l++)
        for (int tile = 0; tile < cvvdp->level[l + 1].first - cvvdp->level[l].first; tile++)
            measure_tile(cvvdp, work, &view, l, tile);
    difference[FV_CVVDP_TERM_STILL] = pooled(cvvdp, work, &view);
}

static void pool_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    double *difference = work->frame;
    if (work->skipped)
        return;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    difference[cvvdp->clip ? FV_CVVDP_TERM_CLIP : FV_CVVDP_TERM_STILL] = pooled(cvvdp, work, &view);
}

/* ---- Map ---------------------------------------------------------------------------------------------------- */

static void coarse_map_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    if (work->skipped || !work->map[0].data)
        return;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    fv_cvvdp_draw_base(cvvdp, &view);
    for (int l = cvvdp->bands - 1; l > 0; l--)
        cvvdp->kernels->add(&view.drawn[l + 1], 0, cvvdp->level[l].height, NULL, &view.drawn[l], work->scratch);
}

static void map_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCvvdp *cvvdp = run->state;
    if (work->skipped || !work->map[0].data)
        return;
    FvCvvdpView view = view_of(cvvdp, work, channels_of(cvvdp));
    cvvdp->kernels->add(&view.drawn[1], job * BAND_ROWS, rows_of_band(run->ref.height, job), &cvvdp->map,
                        &view.drawn[0], work->scratch);
}

static const FvStage stages[] = {
    [FIRST_FRAME] = {"first frame", first_job, 0, false},
    [TIME] = {"time", level0_job, 0, false},
    [FIRST_LEVEL] = {"first level", level1_job, 0, false},
    [PYRAMID] = {"pyramid", pyramid_job, 0, false},
    [BANDS] = {"bands", tile_job, 0, false},
    [POOL] = {"pool", pool_job, 0, false},
    [COARSE_MAP] = {"coarse map", coarse_map_job, 0, true},
    [MAP] = {"map", map_job, 0, true},
};
/* ---- Terms -------------------------------------------------------------------------------------------------- */

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvCvvdp *cvvdp = run->state;
    row[FV_CVVDP_TERM_CLIP].real = row[FV_CVVDP_TERM_STILL].real = 0;
    if (!cvvdp->clip && work->index > 0)
        return fv_fail(error, FV_ERROR_USAGE, "cvvdp: frame %lld: %s", (long long)work->index,
                       cvvdp->parameters.still
                           ? "still=true is for one picture, and the clip has more; leave it out"
                           : "the videos do not state their frame rate, on which a clip's score depends; give it "
                             "with fps=");
    if (work->skipped)
        return FV_OK;
    const double *difference = work->frame;
    row[FV_CVVDP_TERM_STILL].real = difference[FV_CVVDP_TERM_STILL];
    if (cvvdp->clip)
        row[FV_CVVDP_TERM_CLIP].real = difference[FV_CVVDP_TERM_CLIP];
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvCvvdp *cvvdp = run->state;
    for (int l = 0; l < FV_CVVDP_LEVELS; l++)
        fv_free(cvvdp->level[l].nodes);
    fv_light_close(&cvvdp->light);
}

const FvFeature fv_feature_cvvdp = {
    .name = "cvvdp",
    .cost = 65000,
    FV_FEATURE_OPTIONS(cvvdp_options, FvCvvdpParameters),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_cvvdp_maps,
    .map_count = 1,
    .state_size = sizeof(FvCvvdp),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .stage_in_order = TIME,
    .gpu = FV_GPU_FEATURE(fv_cvvdp_gpu),
    .terms = terms,
    .close = close_run,
};
