/*
 * SpEED: the information in 5x5 blocks of a plane that is reduced 16 times, by a Gaussian model with one covariance
 * matrix per plane. docs/metrics/speed.md
 */
#include "feature/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/speed.h"
#include "base/error.h"
#include "os/memory.h"

/* A Gaussian of `count` taps; `tap` has them from the centre outwards. All taps add up to 1. */
typedef struct Gaussian {
    int count;
    float tap[FV_SPEED_TAPS / 2 + 1];
} Gaussian;

/* The standard deviation is 2/5 of the number of taps. */
static const Gaussian antialias[] = {
    {5, {0.251379132f, 0.221841305f, 0.152469143f}},
    {7, {0.180093691f, 0.168966711f, 0.13954334f, 0.101443052f}},
    {9, {0.14024429f, 0.13493669f, 0.120188937f, 0.0991033912f, 0.0756488293f}},
    {11, {0.114816226f, 0.111888908f, 0.103547148f, 0.0910032243f, 0.0759526193f, 0.0601999611f}},
    {13, {0.0971866846f, 0.0954061002f, 0.0902577266f, 0.0822870284f, 0.0722964928f, 0.061212752f, 0.0499465317f}},
    {15,
     {0.0842472017f, 0.0830851868f, 0.079694435f, 0.0743478909f, 0.0674598813f, 0.0595331416f, 0.0510985069f,
      0.0426573567f}},
    {17,
     {0.0743468106f, 0.0735472217f, 0.0711996704f, 0.0674524158f, 0.0625352487f, 0.0567361824f, 0.0503736101f,
      0.0437677167f, 0.0372145288f}},
    {19,
     {0.0665277615f, 0.0659543499f, 0.0642635897f, 0.0615414381f, 0.0579230376f, 0.0535816438f, 0.0487148985f,
      0.0435300022f, 0.0382293165f, 0.0329978354f}},
    {23,
     {0.0549650155f, 0.0546412766f, 0.0536814444f, 0.0521190576f, 0.0500077978f, 0.0474185087f, 0.0444351807f,
      0.0411504842f, 0.0376609974f, 0.0340625942f, 0.030446155f, 0.0268940441f}},
    {27,
     {0.046825707f, 0.0466254056f, 0.0460296422f, 0.045053564f, 0.043721728f, 0.0420670584f, 0.0401294865f,
      0.0379543565f, 0.0355906859f, 0.0330893062f, 0.0305011049f, 0.0278753396f, 0.0252581369f, 0.022691289f}},
    {29,
     {0.0435975492f, 0.0434358492f, 0.0429543406f, 0.0421636589f, 0.0410810895f, 0.0397299603f, 0.0381387807f,
      0.0363402516f, 0.0343701616f, 0.0322661921f, 0.0300667398f, 0.0278097708f, 0.0255317744f, 0.0232668221f,
      0.0210458077f}},
    {35,
     {0.0361257195f, 0.0360336788f, 0.0357589647f, 0.0353057496f, 0.0346808843f, 0.0338937119f, 0.0329558365f,
      0.0318808332f, 0.0306839515f, 0.029381711f, 0.0279915594f, 0.0265314691f, 0.0250195637f, 0.0234737452f,
      0.0219113566f, 0.0203488711f, 0.0188016351f, 0.0172836352f}},
};

/* The standard deviation is 1/5 of the number of taps. */
static const Gaussian local[] = {
    {3, {0.667242944f, 0.166378513f}},
    {5, {0.402619928f, 0.244201332f, 0.0544886813f}},
    {7, {0.288026065f, 0.22317338f, 0.103818342f, 0.0289952625f}},
    {9, {0.224173561f, 0.192116067f, 0.120920911f, 0.0558981709f, 0.0189780816f}},
};

/* Values that speed_kernelscale may have, within 1/1000: ratios of common frame sizes. */
static const float kernelscales[] = {
    1,       1.f / 2, 3.f / 2,   2,       2.f / 3, 24.f / 10, 360.f / 97, 4.f / 3,   3.5f / 3,  3.75f / 3, 4.25f / 3,
    5.f / 3, 3,       1 / 2.25f, 1.4746f, 1.54f,   1.6f,      1.06667f,   0.711111f, 0.740740f, 1.111111f,
};

const char *const fv_speed_prescale_methods[] = {"nearest", "bilinear", "bicubic", "lanczos4", NULL};

/* Rows of the operating plane per job. */
#define BAND 16
/* Blocks per job, a multiple of 64. */
#define CHUNK 256
enum { DECIMATE, HIGH_PASS, COVARIANCE, SOLVE, BLOCKS, SCORE, STAGES };
#define MIN_SIDE (FV_SPEED_STEP * FV_SPEED_BLOCK)

static int odd_ceiling(float taps)
{
    int count = (int)ceilf(taps);
    return count % 2 ? count : count + 1;
}

static bool find_taps(const Gaussian *table, int size, int count, float *tap)
{
    for (int i = 0; i < size; i++)
        if (table[i].count == count) {
            for (int k = 0; k < count; k++)
                tap[k] = table[i].tap[abs(k - count / 2)];
            return true;
        }
    return false;
}

static FvStatus init_filters(FvSpeedShape *shape, const char *name, float scale, int depth, FvError *error)
{
    bool listed = false;
    for (size_t i = 0; i < sizeof kernelscales / sizeof *kernelscales; i++)
        listed |= (double)fabsf(scale - kernelscales[i]) < 1e-3;
    shape->taps = odd_ceiling(9 * scale);
    shape->local_taps = odd_ceiling(2 * scale) < 3 ? 3 : odd_ceiling(2 * scale);
    if (!listed || !find_taps(antialias, sizeof antialias / sizeof *antialias, shape->taps, shape->tap) ||
        !find_taps(local, sizeof local / sizeof *local, shape->local_taps, shape->local_tap))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "%s: speed_kernelscale %g is not defined; it must be within 0.001 of 0.444444, 0.5, 0.666667, "
            "0.711111, 0.74074, 1, 1.06667, 1.111111, 1.166667, 1.25, 1.333333, 1.416667, 1.4746, 1.5, 1.54, "
            "1.6, 1.666667, 2, 2.4, 3 or 3.71134",
            name, (double)scale);
    for (int i = 0; i < shape->taps; i++)
        shape->down_tap[i] = shape->tap[i] / (float)(1 << (depth - 8));
    return FV_OK;
}

static FvStatus init_shape(FvSpeed *speed, const char *name, const FvSpeedOptions *options, FvError *error)
{
    FvSpeedShape *shape = &speed->shape;
    shape->scaled_width = (int)(shape->width * options->prescale + 0.5);
    shape->scaled_height = (int)(shape->height * options->prescale + 0.5);
    if (shape->scaled_width < MIN_SIDE || shape->scaled_height < MIN_SIDE)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: the plane is %dx%d samples at speed_prescale %g; both sides must be at least %d: "
                       "use a larger "
                       "picture or speed_prescale",
                       name, shape->scaled_width, shape->scaled_height, options->prescale, MIN_SIDE);
    shape->columns = shape->scaled_width / FV_SPEED_STEP;
    shape->rows = shape->scaled_height / FV_SPEED_STEP;
    shape->stride = FV_ROUND_UP(shape->columns, 16) + 16;
    shape->across = shape->columns / FV_SPEED_BLOCK;
    shape->down = shape->rows / FV_SPEED_BLOCK;
    shape->blocks = shape->across * shape->down;
    shape->window_width = (shape->across - 1) * FV_SPEED_BLOCK + 1;
    shape->window_height = (shape->down - 1) * FV_SPEED_BLOCK + 1;

    bool same_size = shape->scaled_width == shape->width && shape->scaled_height == shape->height;
    if (fabs(options->prescale - 1) < 1e-3) {
        int reach = shape->taps / 2;
        if ((shape->scaled_width > shape->width && FV_SPEED_STEP * (shape->columns - 1) + reach > shape->width - 1) ||
            (shape->scaled_height > shape->height && FV_SPEED_STEP * (shape->rows - 1) + reach > shape->height - 1))
            return fv_fail(error, FV_ERROR_USAGE,
                           "%s: speed_prescale %g would read beyond the picture; use 1, or a value at least "
                           "0.001 away from it",
                           name, options->prescale);
    } else {
        speed->resized = !same_size;
    }
    return FV_OK;
}

static int bands(const FvSpeed *speed)
{
    return (speed->shape.rows + BAND - 1) / BAND;
}

static int chunks(const FvSpeed *speed)
{
    return (speed->shape.blocks + CHUNK - 1) / CHUNK;
}

FvStatus fv_speed_init(FvFeatureInstance *run, bool temporal, FvError *error)
{
    const FvSpeedOptions *options = run->options;
    const char *name = run->feature->name;
    const FvFormat *format = &run->dis;
    int depth = format->depth;
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return fv_fail(
            error, FV_FAIL_UNDEFINED_METRIC,
            "%s: the metric is not defined for %d bits per sample; convert to 10, 12 or 16 bits with `convert=depth`",
            name, depth);
    if (!temporal && format->chroma == FV_CHROMA_400)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "%s: the video is monochrome and has no chroma to score; use speed_temporal", name);
    FvSpeed *speed = run->state;
    FvSpeedShape *shape = &speed->shape;
    speed->kernels = fv_speed_kernels(run->isa);
    speed->temporal = temporal;
    speed->use_ref_diff = temporal && options->use_ref_diff; /* speed_chroma lacks this option */
    speed->first_plane = temporal ? 0 : 1;
    speed->planes = temporal ? 1 : 2;
    speed->parts = run->threads > 1 ? 2 : 1;
    shape->width = format->width >> (!temporal && format->chroma != FV_CHROMA_444);
    shape->height = format->height >> (!temporal && format->chroma == FV_CHROMA_420);
    shape->sigma = (float)options->sigma_nn;
    shape->weight_mode = temporal ? 0 : options->weight_var_mode;
    float floor_noise = (1 + (float)options->nn_floor) * shape->sigma;
    speed->base = (float)(FV_SPEED_N * (fv_log2(floor_noise) + FV_SPEED_GAUSSIAN));

    FvStatus status = init_filters(shape, name, (float)options->kernelscale, depth, error);
    if (!status)
        status = init_shape(speed, name, options, error);
    if (status)
        return status;
    if (speed->resized) {
        int method = 0;
        while (strcmp(fv_speed_prescale_methods[method], options->prescale_method))
            method++;
        if (!fv_speed_prescale_open(&speed->resize, method, shape->width, shape->height, shape->scaled_width,
                                    shape->scaled_height))
            return fv_fail_memory(error, (size_t)(shape->scaled_width + shape->scaled_height) * FV_SPEED_LOCAL *
                                             sizeof(float));
    }
    speed->block_stride = FV_ROUND_UP(shape->blocks, 64);
    size_t plane_floats = (size_t)shape->rows * shape->stride;
    speed->side_bytes = FV_ROUND_UP(sizeof(FvSpeedSide), FV_ALIGN) +
                        (2 * plane_floats + 3 * (size_t)speed->block_stride) * sizeof(float);
    run->frame_bytes = FV_ALIGN + 2 * speed->planes * speed->side_bytes;
    size_t row_floats = fv_speed_work_floats(shape);
    run->scratch_bytes = (speed->resized ? 1 + shape->taps : 1) * row_floats * sizeof(float);
    run->term_count = 2 * speed->planes;
    run->jobs[HIGH_PASS] = run->jobs[SOLVE] = 2 * speed->planes;
    run->jobs[DECIMATE] = 2 * speed->planes * bands(speed);
    run->jobs[COVARIANCE] = 2 * speed->planes * speed->parts;
    run->jobs[BLOCKS] = 2 * speed->planes * chunks(speed);
    run->jobs[SCORE] = speed->planes;
    run->planes = temporal ? 1 : 6;
    if (shape->scaled_width == shape->width && shape->scaled_height == shape->height)
        run->rows = fv_needed_rows(FV_SPEED_STEP, shape->taps / 2);
    run->behind = temporal;
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvSpeed *speed = run->state;
    fv_speed_prescale_close(&speed->resize);
}

FvSpeedPlace fv_speed_place(const FvSpeed *speed, void *frame, int index)
{
    char *at = (char *)frame + FV_ALIGN + index * speed->side_bytes;
    size_t plane_floats = (size_t)speed->shape.rows * speed->shape.stride;
    FvSpeedPlace place = {.side = (FvSpeedSide *)at};
    place.low = (float *)(at + FV_ROUND_UP(sizeof(FvSpeedSide), FV_ALIGN));
    place.plane = place.low + plane_floats;
    place.variance = place.plane + plane_floats;
    place.entropy = place.variance + speed->block_stride;
    place.information = place.entropy + speed->block_stride;
    return place;
}

FvDifference fv_speed_source(const FvFeatureInstance *run, const FvWork *work, int index)
{
    const FvSpeed *speed = run->state;
    int plane = speed->first_plane + index / 2, depth = run->dis.depth;
    const FvFrame *now = index % 2 ? work->dis : work->ref;
    FvDifference from = {
        .bytes = depth > 8 ? 2 : 1, .level = 1 << (depth - 1), .scale = 1 / (float)(1 << (depth - 8))};
    if (speed->temporal) {
        const FvFrame *before = index % 2 ? work->prev_dis[0] : work->prev_ref[0];
        if (speed->use_ref_diff)
            now = work->ref;
        from.minus = now->data[plane];
        from.minus_stride = now->stride[plane];
        now = before;
    }
    from.plus = now->data[plane];
    from.plus_stride = now->stride[plane];
    return from;
}

static bool first_of_temporal(const FvFeatureInstance *run, const FvWork *work)
{
    const FvSpeed *speed = run->state;
    return speed->temporal && !work->prev_ref[0];
}

static void decimate_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSpeed *speed = run->state;
    const FvSpeedShape *shape = &speed->shape;
    if (first_of_temporal(run, work))
        return;
    int index = job / bands(speed), first = job % bands(speed) * BAND;
    int last = first + BAND < shape->rows ? first + BAND : shape->rows;
    FvSpeedPlace place = fv_speed_place(speed, work->frame, index);
    FvDifference from = fv_speed_source(run, work, index);
    size_t row_floats = fv_speed_work_floats(shape);
    float *resized = (float *)work->scratch + row_floats;
    for (int y = first; y < last; y++) {
        FvSpeedRows rows = {.level = from.level, .bytes = speed->resized ? 4 : from.bytes};
        for (int i = 0; i < shape->taps; i++) {
            int row = y * FV_SPEED_STEP + i - shape->taps / 2;
            row = row < 0 ? -row : row >= shape->scaled_height ? 2 * shape->scaled_height - 2 - row : row;
            if (speed->resized) {
                rows.plus[i] = resized + i * row_floats;
                fv_speed_prescale_row(&speed->resize, &from, row, resized + i * row_floats);
            } else {
                rows.plus_ahead = FV_SPEED_STEP * from.plus_stride;
                rows.minus_ahead = FV_SPEED_STEP * from.minus_stride;
                rows.plus[i] = from.plus + row * from.plus_stride;
                rows.minus[i] = from.minus ? from.minus + row * from.minus_stride : NULL;
            }
        }
        speed->kernels->decimate(shape, &rows, work->scratch, place.low + y * shape->stride);
    }
}

static void high_pass_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSpeed *speed = run->state;
    if (first_of_temporal(run, work))
        return;
    FvSpeedPlace place = fv_speed_place(speed, work->frame, job);
    speed->kernels->high_pass(&speed->shape, place.low, work->scratch, place.plane);
    speed->kernels->means(&speed->shape, place.plane, place.side->mean);
}

static void covariance_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSpeed *speed = run->state;
    if (first_of_temporal(run, work))
        return;
    FvSpeedPlace place = fv_speed_place(speed, work->frame, job / speed->parts);
    speed->kernels->covariance(&speed->shape, place.plane, place.side->mean, job % speed->parts, speed->parts,
                               place.side->covariance);
}

static void solve_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSpeed *speed = run->state;
    if (first_of_temporal(run, work))
        return;
    FvSpeedSide *side = fv_speed_place(speed, work->frame, job).side;
    const float(*covariance)[FV_SPEED_ROW] = (const float(*)[FV_SPEED_ROW])side->covariance;
    speed->kernels->tridiagonal(covariance, side->diagonal, side->beside);
    fv_eigenvalues(side->diagonal, side->beside, FV_SPEED_N);
    side->singular = false;
    for (int i = 0; i < FV_SPEED_N; i++)
        side->singular |= fv_speed_vanishes(side->diagonal[i]);
    if (side->singular)
        return;
    speed->kernels->factor(covariance, side->q, side->r);
    for (int i = 0; i < FV_SPEED_N; i++)
        side->singular |= fv_speed_vanishes(fabsf(side->r[i][i]));
}

static void block_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSpeed *speed = run->state;
    if (first_of_temporal(run, work))
        return;
    FvSpeedPlace place = fv_speed_place(speed, work->frame, job / chunks(speed));
    int first = job % chunks(speed) * CHUNK, last = first + CHUNK;
    speed->kernels->blocks(&speed->shape, place.plane, place.side, first,
                           last < speed->shape.blocks ? last : speed->shape.blocks, place.variance, place.entropy);
}

static void score_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSpeed *speed = run->state;
    FvSpeedScore *result = (FvSpeedScore *)work->frame + job;
    *result = (FvSpeedScore){0};
    if (first_of_temporal(run, work))
        return;
    FvSpeedPlace ref = fv_speed_place(speed, work->frame, 2 * job),
                 dis = fv_speed_place(speed, work->frame, 2 * job + 1);
    result->singular = ref.side->singular | dis.side->singular;
    if (ref.side->singular != dis.side->singular)
        return;
    speed->kernels->information(&speed->shape, (const float *const[]){ref.variance, dis.variance},
                                (const float *const[]){ref.entropy, dis.entropy},
                                (float *const[]){ref.information, dis.information});
    float sum = 0;
    for (int b = 0; b < speed->shape.blocks; b++)
        if (!(ref.entropy[b] < speed->base && dis.entropy[b] < speed->base))
            sum += fabsf(ref.information[b] - dis.information[b]);
    result->score = sum / (float)speed->shape.blocks;
}

static const FvStage stages[STAGES] = {
    [DECIMATE] = {"antialias filter and decimation", decimate_job, 0, false},
    [HIGH_PASS] = {"local mean removal and means", high_pass_job, 0, false},
    [COVARIANCE] = {"covariance", covariance_job, 0, false},
    [SOLVE] = {"eigenvalues and factorisation", solve_job, 0, false},
    [BLOCKS] = {"variances and entropies", block_job, 0, false},
    [SCORE] = {"score", score_job, 0, false},
};

void fv_speed_finish(const FvFeatureInstance *run, const FvWork *work)
{
    const FvSpeed *speed = run->state;
    for (int side = 0; side < 2 * speed->planes; side++) {
        FvSpeedPlace place = fv_speed_place(speed, work->frame, side);
        speed->kernels->means(&speed->shape, place.plane, place.side->mean);
    }
    for (int stage = COVARIANCE; stage < STAGES; stage++)
        for (int job = run->jobs[stage] - 1; job >= 0; job--)
            stages[stage].job(run, work, job);
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvSpeed *speed = run->state;
    const FvSpeedScore *scores = work->frame;
    for (int plane = 0; plane < speed->planes; plane++) {
        row[2 * plane].real = scores[plane].score;
        row[2 * plane + 1].integer = scores[plane].singular;
    }
    return FV_OK;
}

/*
 * Degenerate frames have nearly singular matrices. Their scores would depend on how a processor overflows: a NaN or a
 * huge number. The metric clips all of these (speed_max_val is at most 1000), so they are replaced by one number
 * here.
 */
#define OVERFLOWN 1e30

static FvStatus chroma_row(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    FvStatus status = terms(run, work, row, error);
    const FvSpeed *speed = run->state;
    for (int plane = 0; plane < speed->planes; plane++)
        row[2 * plane].real = row[2 * plane].real < OVERFLOWN ? row[2 * plane].real : OVERFLOWN;
    return status;
}

static FvStatus init_chroma(FvFeatureInstance *run, FvError *error)
{
    return fv_speed_init(run, false, error);
}

static FvStatus init_temporal(FvFeatureInstance *run, FvError *error)
{
    return fv_speed_init(run, true, error);
}

#define CHROMA_OPTIONS(X)                                                                                            \
    FV_SPEED_OPTIONS(X)                                                                                              \
    X(FvSpeedOptions, weight_var_mode, INT, FV_SPEED_WEIGHT_VAR_MODE)
FV_OPTIONS(chroma_options, CHROMA_OPTIONS);

#define TEMPORAL_OPTIONS(X)                                                                                          \
    FV_SPEED_OPTIONS(X)                                                                                              \
    X(FvSpeedOptions, use_ref_diff, BOOL, FV_SPEED_USE_REF_DIFF)
FV_OPTIONS(temporal_options, TEMPORAL_OPTIONS);

static const FvTermInfo chroma_terms[] = {
    {"score_u", FV_TERM_REAL},
    {"singular_u", FV_TERM_INTEGER},
    {"score_v", FV_TERM_REAL},
    {"singular_v", FV_TERM_INTEGER},
};
static const FvTermInfo temporal_terms[] = {{"score", FV_TERM_REAL}, {"singular", FV_TERM_INTEGER}};

const FvFeature fv_feature_speed_chroma = {
    .name = "speed_chroma",
    .cost = 400,
    FV_FEATURE_OPTIONS(chroma_options, FvSpeedOptions),
    FV_FEATURE_TERMS(chroma_terms),
    .state_size = sizeof(FvSpeed),
    .init = init_chroma,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_speed_gpu),
    .terms = chroma_row,
    .close = close_run,
};

const FvFeature fv_feature_speed_temporal = {
    .name = "speed_temporal",
    .cost = 800,
    FV_FEATURE_OPTIONS(temporal_options, FvSpeedOptions),
    FV_FEATURE_TERMS(temporal_terms),
    .state_size = sizeof(FvSpeed),
    .init = init_temporal,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_speed_gpu),
    .terms = terms,
    .close = close_run,
};
