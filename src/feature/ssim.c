/* The features of SSIM and MS-SSIM. docs/metrics/ssim.md */
#include "feature/ssim.h"

#include <math.h>

#include "base/error.h"
#include "os/memory.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvSsimOptions, scale, INT, FV_SSIM_SCALE)                                                                      \
    FV_REGION_OPTIONS(X, FvSsimOptions, region)
FV_OPTIONS(ssim_options, OPTION_LIST);
#define PU_OPTION_LIST(X) FV_PU_OPTIONS(X, FvPuSsimOptions) X(FvPuSsimOptions, scale, INT, FV_PU_SSIM_SCALE)
FV_OPTIONS(pu_ssim_options, PU_OPTION_LIST);

#define TERMS_OF(scale)                                                                                              \
    {"luminance_scale" #scale, FV_TERM_INTEGER}, {"contrast_scale" #scale, FV_TERM_INTEGER},                         \
        {"structure_scale" #scale, FV_TERM_INTEGER},                                                                 \
    {                                                                                                                \
        "product_scale" #scale, FV_TERM_INTEGER                                                                      \
    }
static const FvTermInfo terms_info[FV_SSIM_SCALES * FV_SSIM_TERMS] = {TERMS_OF(0), TERMS_OF(1), TERMS_OF(2),
                                                                      TERMS_OF(3), TERMS_OF(4)};
static const FvTermInfo ssim_terms_info[FV_SSIM_TERMS + 1] = {TERMS_OF(0), {"weight", FV_TERM_INTEGER}};

/* Rows per job: of window positions, and of a reduced plane. */
#define BAND 96
#define WINDOW 11

/* The stages after those that compute the scales. */
enum { WEIGH = FV_SSIM_SCALES, SUM };

static FvSsimPlane plane_of(const FvFeatureInstance *run, const FvWork *work, int scale, int picture)
{
    const FvSsim *ssim = run->state;
    const FvFrame *frame = picture ? work->dis : work->ref;
    const bool whole = scale < 0 || (scale == 0 && ssim->factor == 1);
    if (whole && ssim->encoded)
        return (FvSsimPlane){(const uint8_t *)work->input[0] + ssim->encoded->plane[picture],
                             ssim->encoded->stride,
                             run->dis.width,
                             run->dis.height,
                             sizeof(float),
                             1};
    if (whole)
        return (FvSsimPlane){frame->data[0],  frame->stride[0],           run->dis.width,
                             run->dis.height, run->dis.depth > 8 ? 2 : 1, 1.0f / (float)(1 << (run->dis.depth - 8))};
    return (FvSsimPlane){(uint8_t *)work->frame + ssim->plane[scale][picture],
                         ssim->stride[scale],
                         ssim->width[scale],
                         ssim->height[scale],
                         sizeof(float),
                         1};
}

/* Computes a band of the plane of a scale from the previous scale, or from the frame. */
static void smaller_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSsim *ssim = run->state;
    const int scale = work->level;
    int picture = job % 2, first = job / 2 * BAND, rows = ssim->height[scale] - first;
    FvSsimPlane from = plane_of(run, work, scale - 1, picture);
    ptrdiff_t stride = ssim->stride[scale];
    float *to = (float *)((uint8_t *)work->frame + ssim->plane[scale][picture] + first * stride);
    rows = rows < BAND ? rows : BAND;
    if (scale == 0)
        ssim->kernels->shrink(&from, ssim->factor, to, stride, first, rows, work->scratch);
    else
        ssim->kernels->halve(&from, to, stride, first, rows, work->scratch);
}

/* Returns the largest unit, up to 2^40, for which sums of values up to 1 with these weights fit 63 bits. */
static double unit_of(uint64_t weights)
{
    int bits = 0;
    while ((uint64_t)1 << bits < weights)
        bits++;
    return ldexp(1, bits > 22 ? 62 - bits : 40);
}

static void set_weights(FvSsimStatistic *statistic, const FvWeights *weights)
{
    statistic->weight = weights->weight;
    statistic->weight_stride = weights->stride;
    statistic->unit = unit_of(weights->sum);
}

static void sum_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSsim *ssim = run->state;
    int scale = 0;
    while (job >= ssim->bands[scale])
        job -= ssim->bands[scale++];
    FvSsimPlane ref = plane_of(run, work, scale, 0), dis = plane_of(run, work, scale, 1);
    int first = job * BAND, rows = ref.height - WINDOW + 1 - first;
    FvSsimSums *sums = (FvSsimSums *)((uint8_t *)work->frame + ssim->sums[scale]);
    FvSsimStatistic statistic = ssim->statistic[scale];
    if (ssim->weigher.moving)
        set_weights(&statistic, fv_weights_of(&ssim->weigher, work->frame));
    ssim->kernels->sums(&ref, &dis, first, rows < BAND ? rows : BAND, &statistic, work->scratch, &sums[job]);
}

/* Returns the factor by the smaller side: 1 below 384 samples, 2 below 640, ... */
static int automatic_factor(const FvFormat *format)
{
    float sides = (float)(format->width < format->height ? format->width : format->height) / 256;
    int factor = (int)sides + (sides - (float)(int)sides >= 0.5f);
    return factor > 1 ? factor : 1;
}

/* Returns the parameters for samples of the range L. */
static FvSsimStatistic statistic_of(float range, double unit)
{
    const float k1 = 0.01f * range, k2 = 0.03f * range;
    return (FvSsimStatistic){.c1 = k1 * k1, .c2 = k2 * k2, .unit = unit};
}

static FvStatus set_up_instance(FvFeatureInstance *run, const char *name, int scales, int factor, int least,
                                float range, FvError *error)
{
    const FvFormat *format = &run->dis;
    int depth = format->depth, width = format->width, height = format->height;
    const bool encoded = ((const FvSsim *)run->state)->encoded;
    if (!encoded && depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return fv_fail(
            error, FV_FAIL_UNDEFINED_METRIC,
            "%s: the metric is not defined for %d bits per sample; convert to 10, 12 or 16 bits with `convert=depth`",
            name, depth);
    if (factor > 1) {
        width = width / factor + width % 2;
        height = height / factor + height % 2;
    }
    if (width < least || height < least) {
        if (factor > 1)
            return fv_fail(
                error, FV_FAIL_UNDEFINED_METRIC,
                "%s: pictures of %dx%d, reduced %d times, are smaller than its window of %d samples; choose "
                "a smaller scale",
                name, format->width, format->height, factor, least);
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "%s: %dx%d is too small; the metric takes pictures from %dx%d", name, format->width,
                       format->height, least, least);
    }
    FvSsim *ssim = run->state;
    ssim->kernels = fv_ssim_kernels(run->isa);
    ssim->scales = scales;
    ssim->factor = factor;
    size_t bytes = 0;
    run->jobs[WEIGH] = run->jobs[SUM] = 0;
    for (int i = 0; i < FV_SSIM_SCALES; i++)
        run->jobs[i] = 0;
    for (int i = 0; i < scales; i++, width = (width + 1) / 2, height = (height + 1) / 2) {
        int rows = height - WINDOW + 1;
        ssim->width[i] = width;
        ssim->height[i] = height;
        ssim->stride[i] = (ptrdiff_t)FV_ROUND_UP((size_t)width * sizeof(float) + 64, 64);
        run->jobs[i] = i || factor > 1 ? 2 * ((height + BAND - 1) / BAND) : 0;
        for (int picture = 0; picture < 2 && run->jobs[i]; picture++) {
            ssim->plane[i][picture] = bytes;
            bytes += (size_t)height * (size_t)ssim->stride[i];
        }
        ssim->bands[i] = (rows + BAND - 1) / BAND;
        run->jobs[SUM] += ssim->bands[i];
        ssim->sums[i] = bytes;
        bytes += FV_ROUND_UP((size_t)ssim->bands[i] * sizeof(FvSsimSums), 64);
        ssim->statistic[i] = statistic_of(range, unit_of((uint64_t)rows * (uint64_t)(width - WINDOW + 1)));
    }
    run->term_count = scales * FV_SSIM_TERMS;
    run->planes = 1;
    run->frame_bytes = bytes;
    run->scratch_bytes = fv_ssim_scratch_bytes(format->width);
    return FV_OK;
}

static void weigh_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    fv_weigher_weigh(&((const FvSsim *)run->state)->weigher, work->mask, work->frame);
}

/* Opens the weights. A position has the weight of the sample in the middle of its window. */
static FvStatus open_weigher(FvFeatureInstance *run, const FvRegionOptions *region, FvError *error)
{
    FvSsim *ssim = run->state;
    FvWeigher *weigher = &ssim->weigher;
    const int middle = WINDOW / 2 * ssim->factor - (ssim->factor > 1 ? ssim->factor / 2 : 0);
    FvStatus status = fv_weigher_open(weigher, region, run->dis.width, run->dis.height,
                                      &(FvRegionGrid){.width = ssim->width[0] - WINDOW + 1,
                                                      .height = ssim->height[0] - WINDOW + 1,
                                                      .across = ssim->factor,
                                                      .down = ssim->factor,
                                                      .left = middle,
                                                      .above = middle,
                                                      .each = "middle of a window of float_ssim"},
                                      "float_ssim", &run->frame_bytes, error);
    run->jobs[WEIGH] = weigher->moving;
    if (status || weigher->moving)
        return status;
    set_weights(&ssim->statistic[0], &weigher->all);
    return FV_OK;
}

static FvStatus init_ssim(FvFeatureInstance *run, FvError *error)
{
    const FvSsimOptions *options = run->options;
    int factor = options->scale ? options->scale : automatic_factor(&run->dis);
    FvStatus status = set_up_instance(run, "float_ssim", 1, factor, WINDOW, 255, error);
    if (!status)
        status = open_weigher(run, &options->region, error);
    run->term_count += ((const FvSsim *)run->state)->weigher.moving;
    return status;
}

static void close_ssim(FvFeatureInstance *run)
{
    fv_weigher_close(&((FvSsim *)run->state)->weigher);
}

/* After four halvings, rounded down, a side must still hold the window. */
static FvStatus init_ms_ssim(FvFeatureInstance *run, FvError *error)
{
    return set_up_instance(run, "float_ms_ssim", FV_SSIM_SCALES, 1, WINDOW << (FV_SSIM_SCALES - 1), 255, error);
}

static void pu_inputs(const void *options, FvWants *wants)
{
    fv_want(wants, &fv_feature_pu21, &((const FvPuSsimOptions *)options)->pu);
}

/* Units of PU21 are used with the range 256, which is SDR white. */
static FvStatus init_pu_ssim(FvFeatureInstance *run, FvError *error)
{
    const FvPuSsimOptions *options = run->options;
    FvSsim *ssim = run->state;
    int factor = options->scale ? options->scale : automatic_factor(&run->dis);
    ssim->encoded = run->input[0]->state;
    run->reads = 0;
    return set_up_instance(run, "pu_ssim", 1, factor, WINDOW, 256, error);
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvSsim *ssim = run->state;
    for (int scale = 0; scale < ssim->scales; scale++, row += FV_SSIM_TERMS) {
        const FvSsimSums *sums = (const FvSsimSums *)((const uint8_t *)work->frame + ssim->sums[scale]);
        for (int band = 0; band < ssim->bands[scale]; band++) {
            row[0].integer += sums[band].light;
            row[1].integer += sums[band].contrast;
            row[2].integer += sums[band].structure;
            row[3].integer += sums[band].product;
        }
    }
    return FV_OK;
}

static FvStatus ssim_terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvWeigher *weigher = &((const FvSsim *)run->state)->weigher;
    FvStatus status = terms(run, work, row, error);
    if (status || !weigher->moving)
        return status;
    const FvWeights *weights = fv_weights_of(weigher, work->frame);
    row[FV_SSIM_TERMS].integer = (int64_t)weights->sum;
    return fv_weights_check(weigher, weights, work->mask_number, error);
}

float fv_ssim_mean(const FvSsim *ssim, int scale, int term, const FvTerm *row)
{
    double positions = (double)(ssim->width[scale] - WINDOW + 1) * (ssim->height[scale] - WINDOW + 1);
    double unit = ssim->statistic[scale].unit;
    if (ssim->weigher.moving) {
        positions = (double)row[FV_SSIM_TERMS].integer;
        unit = unit_of((uint64_t)row[FV_SSIM_TERMS].integer);
    } else if (ssim->weigher.all.weight)
        positions = (double)ssim->weigher.all.sum;
    return (float)((double)row[FV_SSIM_TERMS * scale + term].integer / unit / positions);
}

static const FvStage stages[] = {
    {"scale 0", smaller_job, 0, false},  {"scale 1", smaller_job, 1, false},
    {"scale 2", smaller_job, 2, false},  {"scale 3", smaller_job, 3, false},
    {"scale 4", smaller_job, 4, false},  [WEIGH] = {"weights", weigh_job, 0, false},
    [SUM] = {"sums", sum_job, 0, false},
};

const FvFeature fv_feature_ssim = {
    .name = "ssim",
    .cost = 2000,
    FV_FEATURE_OPTIONS(ssim_options, FvSsimOptions),
    FV_FEATURE_TERMS(ssim_terms_info),
    .state_size = sizeof(FvSsim),
    .init = init_ssim,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_ssim_gpu),
    .terms = ssim_terms,
    .close = close_ssim,
};

const FvFeature fv_feature_ms_ssim = {
    .name = "ms_ssim",
    .cost = 22000,
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvSsim),
    .init = init_ms_ssim,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_ms_ssim_gpu),
    .terms = terms,
};

const FvFeature fv_feature_pu_ssim = {
    .name = "pu_ssim",
    .cost = 20000,
    FV_FEATURE_OPTIONS(pu_ssim_options, FvPuSsimOptions),
    FV_FEATURE_TERMS(terms_info),
    .inputs = pu_inputs,
    .state_size = sizeof(FvSsim),
    .init = init_pu_ssim,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_pu_ssim_gpu),
    .terms = terms,
};
