/*
 * CAMBI as a feature: the banding contrasts at five scales, and the sums of the greatest ones. docs/metrics/cambi.md
 */
#include "feature/cambi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

const char *const fv_cambi_eotfs[] = {"bt1886", "pq", NULL};
const char *const fv_cambi_displays[] = {"auto", "bt1886", "pq", NULL};

#define OPTION_LIST(X)                                                                                               \
    FV_CAMBI_PICTURE_OPTIONS(X)                                                                                      \
    FV_CAMBI_DISPLAY_OPTIONS(X)
FV_OPTIONS(cambi_options, OPTION_LIST);

static const FvTermInfo terms_info[] = {
    {"sum_0", FV_TERM_INTEGER},        {"sum_1", FV_TERM_INTEGER},        {"sum_2", FV_TERM_INTEGER},
    {"sum_3", FV_TERM_INTEGER},        {"sum_4", FV_TERM_INTEGER},        {"source_sum_0", FV_TERM_INTEGER},
    {"source_sum_1", FV_TERM_INTEGER}, {"source_sum_2", FV_TERM_INTEGER}, {"source_sum_3", FV_TERM_INTEGER},
    {"source_sum_4", FV_TERM_INTEGER},
};

enum { WEIGH, PREPARE, HALVE, QUARTER, CONTRAST, POOL, MAP }; /* stages */

/* The results of the jobs of one scale. */
typedef struct Result {
    int64_t *masked; /* number of masked samples of each band */
    FvCambiSum *strip;
    uint32_t *histogram; /* FV_CAMBI_BINS entries for each strip */
} Result;

static size_t result_bytes(const FvCambi *cambi, int picture, int s)
{
    size_t strip = sizeof(FvCambiSum) + FV_CAMBI_BINS * sizeof(uint32_t);
    return FV_ROUND_UP((size_t)cambi->bands[picture][s] * sizeof(int64_t) + (size_t)cambi->strips[picture][s] * strip,
                       FV_ALIGN);
}

static Result result_of(const FvCambi *cambi, const FvWork *work, int picture, int s)
{
    char *at = (char *)work->frame + cambi->results[picture];
    for (int i = 0; i < s; i++)
        at += result_bytes(cambi, picture, i);
    Result result = {.masked = (int64_t *)at};
    result.strip = (FvCambiSum *)(result.masked + cambi->bands[picture][s]);
    result.histogram = (uint32_t *)(result.strip + cambi->strips[picture][s]);
    return result;
}

static void *planes(const FvCambi *cambi, const FvWork *work, int picture)
{
    return (char *)work->frame + cambi->planes[picture];
}

static int sum_over(const FvCambi *cambi, const int (*count)[FV_CAMBI_SCALES], int first, int last)
{
    int sum = 0;
    for (int i = 0; i < cambi->pictures; i++)
        for (int s = first; s <= last; s++)
            sum += count[i][s];
    return sum;
}

/* Splits a job number into video, scale in [first, last], and the job's number in the scale, which it returns. */
static int locate(const int (*count)[FV_CAMBI_SCALES], int first, int last, int job, int *picture, int *s)
{
    for (*picture = 0;; ++*picture)
        for (*s = first; *s <= last; ++*s) {
            if (job < count[*picture][*s])
                return job;
            job -= count[*picture][*s];
        }
}

static int rows_of(const FvCambiPicture *picture, int s, int band)
{
    int left = picture->scale[s].height - band * FV_CAMBI_BAND;
    return left < FV_CAMBI_BAND ? left : FV_CAMBI_BAND;
}

static void weigh_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCambi *cambi = run->state;
    fv_weigher_weigh(&cambi->weigher[job / FV_CAMBI_SCALES][job % FV_CAMBI_SCALES], work->mask, work->frame);
}

static void prepare_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCambi *cambi = run->state;
    int i, s, band = locate(cambi->bands, 0, 0, job, &i, &s);
    const FvFrame *source = i ? work->ref : work->dis;
    result_of(cambi, work, i, 0).masked[band] =
        cambi->kernels->prepare(&cambi->picture[i], source->data[0], source->stride[0], planes(cambi, work, i),
                                band * FV_CAMBI_BAND, rows_of(&cambi->picture[i], 0, band), work->scratch);
}

static void halve_band(const FvCambi *cambi, const FvWork *work, int i, int s, int band)
{
    result_of(cambi, work, i, s).masked[band] =
        cambi->kernels->halve(&cambi->picture[i], planes(cambi, work, i), s, band * FV_CAMBI_BAND,
                              rows_of(&cambi->picture[i], s, band), work->scratch);
}

static void halve_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCambi *cambi = run->state;
    int i, s, band = locate(cambi->bands, 1, 1, job, &i, &s);
    halve_band(cambi, work, i, s, band);
}

/* Halves scales 2 to 4 of a video. They have a twelfth of all pixels, too few for more jobs. */
static void quarter_job(const FvFeatureInstance *run, const FvWork *work, int i)
{
    const FvCambi *cambi = run->state;
    for (int s = 2; s < FV_CAMBI_SCALES; s++)
        for (int band = 0; band < cambi->bands[i][s]; band++)
            halve_band(cambi, work, i, s, band);
}

/*
 * Returns whether the scale may have more nonzero c-values than are pooled. Only then must c-values be stored for the
 * selection.
 */
static bool may_select(const FvCambi *cambi, const FvWork *work, int i, int s)
{
    int64_t masked = 0;
    for (int band = 0; band < cambi->bands[i][s]; band++)
        masked += result_of(cambi, work, i, s).masked[band];
    return masked > cambi->pooled[i][s];
}

/* Returns the map for the c-values of scale s of the distorted video, or NULL if nobody requested it. */
static const FvMapPlane *wanted_map(const FvWork *work, int s)
{
    return work->map && work->map[s].data ? &work->map[s] : NULL;
}

static const FvWeights *weights_of(const FvCambi *cambi, const FvWork *work, int i, int s)
{
    return fv_weights_of(&cambi->weigher[i][s], work->frame);
}

static void contrast_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCambi *cambi = run->state;
    int i, s, strip = locate(cambi->strips, 0, FV_CAMBI_SCALES - 1, job, &i, &s);
    int most = fv_cambi_strip(&cambi->picture[i]), left = strip * most;
    int columns = cambi->picture[i].scale[s].width - left;
    Result result = result_of(cambi, work, i, s);
    uint32_t *histogram = result.histogram + (size_t)strip * FV_CAMBI_BINS;
    bool keep = (wanted_map(work, s) && !i) || weights_of(cambi, work, i, s)->weight || may_select(cambi, work, i, s);
    if (keep)
        memset(histogram, 0, FV_CAMBI_BINS * sizeof *histogram);
    result.strip[strip] =
        cambi->kernels->contrast(&cambi->picture[i], planes(cambi, work, i), s, left, columns < most ? columns : most,
                                 keep ? histogram : NULL, work->scratch);
}

static void pool_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCambi *cambi = run->state;
    int i = job / FV_CAMBI_SCALES, s = job % FV_CAMBI_SCALES;
    Result result = result_of(cambi, work, i, s);
    uint64_t sum = 0;
    int64_t nonzero = 0;
    for (int strip = 0; strip < cambi->strips[i][s]; strip++) {
        sum += result.strip[strip].sum;
        nonzero += result.strip[strip].nonzero;
    }
    const FvWeights *weights = weights_of(cambi, work, i, s);
    if (weights->weight) {
        const int64_t most = fv_cambi_pooled(cambi->picture[i].topk, (int64_t)weights->sum);
        sum = fv_cambi_weighted(&cambi->picture[i].scale[s], planes(cambi, work, i), weights, (uint64_t)most,
                                cambi->pooled[i][s], work->scratch);
    } else if (nonzero > cambi->pooled[i][s]) {
        for (int n = FV_CAMBI_BINS; n < cambi->strips[i][s] * FV_CAMBI_BINS; n++)
            result.histogram[n % FV_CAMBI_BINS] += result.histogram[n];
        sum = fv_cambi_top(cambi->kernels, &cambi->picture[i].scale[s], planes(cambi, work, i), result.histogram,
                           cambi->pooled[i][s], work->scratch);
    }
    fv_cambi_outcome(cambi, work, i)->sum[s] = sum;
    if (s == 0)
        fv_cambi_outcome(cambi, work, i)->invalid = false;
}

static void map_job(const FvFeatureInstance *run, const FvWork *work, int s)
{
    const FvCambi *cambi = run->state;
    const FvCambiScale *scale = &cambi->picture[0].scale[s];
    const FvMapPlane *map = wanted_map(work, s);
    for (int y = 0; map && y < scale->height; y++)
        memcpy(map->data + y * map->stride, fv_cambi_c(scale, planes(cambi, work, 0), y),
               (size_t)scale->width * sizeof(float));
}

/* Divides the work on one video into jobs, and reserves its memory in the frame's block. */
static void lay_out(FvCambi *cambi, int i, size_t *used)
{
    size_t results = 0;
    int strip = fv_cambi_strip(&cambi->picture[i]);
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        const FvCambiScale *scale = &cambi->picture[i].scale[s];
        cambi->bands[i][s] = (scale->height + FV_CAMBI_BAND - 1) / FV_CAMBI_BAND;
        cambi->strips[i][s] = (scale->width + strip - 1) / strip;
        cambi->pooled[i][s] = fv_cambi_pooled(cambi->picture[i].topk, (int64_t)scale->width * scale->height);
        results += result_bytes(cambi, i, s);
    }
    cambi->planes[i] = fv_reserve(used, cambi->picture[i].bytes);
    cambi->results[i] = fv_reserve(used, results);
    cambi->outcome[i] = fv_reserve(used, sizeof(FvCambiOutcome));
}

/*
 * Opens the weights of one video. A c-value has the weight of all samples of the frame that the scale reduces to one.
 */
static FvStatus open_weighers(FvFeatureInstance *run, int i, FvError *error)
{
    const FvCambiOptions *options = run->options;
    FvCambi *cambi = run->state;
    const FvCambiPicture *picture = &cambi->picture[i];
    FvStatus status = FV_OK;
    if (!fv_region_given(&options->region))
        return FV_OK;
    if (picture->width != run->dis.width || picture->height != run->dis.height)
        return fv_fail(
            error, FV_ERROR_USAGE,
            "cambi: roi and roi_mask need frames at their own size; leave out enc_width, enc_height, src_width and "
            "src_height, or the region");
    for (int s = 0; s < FV_CAMBI_SCALES && !status; s++) {
        const int side = 1 << (s + picture->half);
        FvWeigher *weigher = &cambi->weigher[i][s];
        status = fv_weigher_open(weigher, &options->region, run->dis.width, run->dis.height,
                                 &(FvRegionGrid){.width = picture->scale[s].width,
                                                 .height = picture->scale[s].height,
                                                 .across = side,
                                                 .down = side,
                                                 .each = "sample of luma"},
                                 "cambi", &run->frame_bytes, error);
    }
    if (run->scratch_bytes < FV_CAMBI_TALLY * sizeof(uint64_t))
        run->scratch_bytes = FV_CAMBI_TALLY * sizeof(uint64_t);
    return status;
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvCambiOptions *options = run->options;
    FvCambi *cambi = run->state;
    cambi->kernels = fv_cambi_kernels(run->isa);
    cambi->pictures = options->full_ref ? 2 : 1;
    fv_cambi_tables(&cambi->tables, options);
    int window = 0;
    for (int i = 0; i < cambi->pictures; i++) {
        FvCambiPicture *picture = &cambi->picture[i];
        FvStatus status = fv_cambi_geometry(picture, options, i ? &run->ref : &run->dis, i, error);
        if (!status)
            status = fv_cambi_resample(picture, error);
        if (status)
            return status;
        picture->tables = &cambi->tables;
        window = picture->window > window ? picture->window : window;
        lay_out(cambi, i, &run->frame_bytes);
        size_t scratch = cambi->kernels->scratch(picture);
        scratch = scratch > FV_CAMBI_IN_BIN * sizeof(uint32_t) ? scratch : FV_CAMBI_IN_BIN * sizeof(uint32_t);
        run->scratch_bytes = scratch > run->scratch_bytes ? scratch : run->scratch_bytes;
        status = open_weighers(run, i, error);
        if (status)
            return status;
    }
    cambi->reciprocals = window * window + 1;
    cambi->reciprocal = malloc((size_t)cambi->reciprocals * sizeof *cambi->reciprocal);
    if (!cambi->reciprocal)
        return fv_fail_memory(error, (size_t)cambi->reciprocals * sizeof *cambi->reciprocal);
    fv_cambi_reciprocals(cambi->reciprocal, cambi->reciprocals);
    cambi->tables.reciprocal = cambi->reciprocal;
    for (int m = 0; m < FV_CAMBI_SCALES; m++)
        run->map[m] = (FvMapShape){.width = cambi->picture[0].scale[m].width,
                                   .height = cambi->picture[0].scale[m].height,
                                   .maximum = fv_cambi_greatest(&cambi->picture[0])};
    run->term_count = cambi->pictures * FV_CAMBI_SCALES;
    run->jobs[WEIGH] = cambi->weigher[0][0].moving ? cambi->pictures * FV_CAMBI_SCALES : 0;
    run->jobs[PREPARE] = sum_over(cambi, cambi->bands, 0, 0);
    run->jobs[HALVE] = sum_over(cambi, cambi->bands, 1, 1);
    run->jobs[QUARTER] = cambi->pictures;
    run->jobs[CONTRAST] = sum_over(cambi, cambi->strips, 0, FV_CAMBI_SCALES - 1);
    run->jobs[POOL] = cambi->pictures * FV_CAMBI_SCALES;
    run->jobs[MAP] = FV_CAMBI_SCALES;
    run->planes = 1;
    run->reads = FV_READS_DISTORTED | (options->full_ref ? FV_READS_REFERENCE : 0);
    return FV_OK;
}

/* Refuses a frame with a sample above the format's maximum, because it has no valid score. */
static FvStatus check_samples(const FvCambi *cambi, const FvWork *work, int i, FvError *error)
{
    int depth = cambi->picture[i].depth;
    if (fv_cambi_outcome(cambi, work, i)->invalid)
        return fv_fail(error, FV_ERROR_INPUT,
                       "cambi: frame %lld of the %s video has a sample above %d, the most that %d bits can hold; "
                       "check the stated bit depth",
                       (long long)work->index, i ? "reference" : "distorted", (1 << depth) - 1, depth);
    return FV_OK;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvCambi *cambi = run->state;
    FvStatus status = FV_OK;
    for (int i = 0; i < cambi->pictures && !status; i++) {
        status = check_samples(cambi, work, i, error);
        for (int s = 0; s < FV_CAMBI_SCALES && !status; s++) {
            row[i * FV_CAMBI_SCALES + s].integer = (int64_t)fv_cambi_outcome(cambi, work, i)->sum[s];
            if (cambi->weigher[i][s].moving)
                status =
                    fv_weights_check(&cambi->weigher[i][s], weights_of(cambi, work, i, s), work->mask_number, error);
        }
    }
    return status;
}

static void close_run(FvFeatureInstance *run)
{
    FvCambi *cambi = run->state;
    for (int i = 0; i < 2; i++) {
        free((void *)cambi->picture[i].column);
        free((void *)cambi->picture[i].row);
        for (int s = 0; s < FV_CAMBI_SCALES; s++)
            fv_weigher_close(&cambi->weigher[i][s]);
    }
    free(cambi->reciprocal);
}

static const FvStage stages[] = {
    [WEIGH] = {"weights", weigh_job, 0, false},
    [PREPARE] = {"mask and first scale", prepare_job, 0, false},
    [HALVE] = {"second scale", halve_job, 0, false},
    [QUARTER] = {"third to fifth scale", quarter_job, 0, false},
    [CONTRAST] = {"contrast", contrast_job, 0, false},
    [POOL] = {"pooling", pool_job, 0, false},
    [MAP] = {"maps", map_job, 0, true},
};

#define MAP(name, help)                                                                                              \
    {                                                                                                                \
        name, "c-value", 0, INFINITY, help, 0, false                                                                 \
    }
const FvMapInfo fv_cambi_maps[FV_CAMBI_SCALES] = {
    MAP("cambi_0", "contrast of banding in the picture"),
    MAP("cambi_1", "contrast of banding at half the size"),
    MAP("cambi_2", "contrast of banding at a quarter of the size"),
    MAP("cambi_3", "contrast of banding at an eighth of the size"),
    MAP("cambi_4", "contrast of banding at a sixteenth of the size"),
};

const FvFeature fv_feature_cambi = {
    .name = "cambi",
    .cost = 1600,
    FV_FEATURE_OPTIONS(cambi_options, FvCambiOptions),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_cambi_maps,
    .map_count = FV_CAMBI_SCALES,
    .state_size = sizeof(FvCambi),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_cambi_gpu),
    .terms = terms,
    .close = close_run,
};
