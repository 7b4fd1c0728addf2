/* Peak signal-to-noise ratio: exact integer sums of squares, and one logarithm per plane. docs/metrics/psnr.md */
#include <math.h>
#include <string.h>

#include "arith/exact.h"
#include "base/error.h"
#include "feature/psnr.h"
#include "metric/metric.h"
#include "os/memory.h"

typedef struct PsnrOptions {
    FvPsnrOptions feature;
    bool mse, apsnr, reduced_peak;
    double min_sse;
    const char *ctc, *weights, *clip_weights; /* `weights` and `clip_weights`: NULL if not given */
} PsnrOptions;

static const char *const conditions[] = {"aom", "jvet", NULL};

#define OPTION_LIST(X)                                                                                               \
    X(PsnrOptions, feature.chroma, BOOL, FV_PSNR_CHROMA)                                                             \
    X(PsnrOptions, mse, BOOL, ("enable_mse", "mse", 0, "also report the mean squared error of each plane"))          \
    X(PsnrOptions, apsnr, BOOL, ("enable_apsnr", "apsnr", 0, "also report the PSNR of the whole clip's mean error")) \
    X(PsnrOptions, reduced_peak, BOOL,                                                                               \
      ("reduced_hbd_peak", "rpeak", 0, "peak is 255 * 2^(depth-8) instead of 2^depth - 1"))                          \
    X(PsnrOptions, min_sse, REAL,                                                                                    \
      ("min_sse", "msse", 0, 0, 1.7976931348623157e308, NULL,                                                        \
       "lower limit of the sum of squared errors, which limits the score; 0: the limit is 6 * depth + 12 dB"))       \
    X(PsnrOptions, ctc, TEXT,                                                                                        \
      ("ctc", NULL, "aom", conditions, "test conditions that give psnr_yuv and apsnr_yuv weights and a peak"))       \
    X(PsnrOptions, weights, TEXT,                                                                                    \
      ("weights", NULL, NULL, NULL, "Y:CB:CR, weights of the planes in psnr_yuv; unset: by ctc"))                    \
    X(PsnrOptions, clip_weights, TEXT,                                                                               \
      ("clip_weights", NULL, NULL, NULL, "Y:CB:CR, weights of the planes in apsnr_yuv; unset: by ctc"))              \
    FV_REGION_OPTIONS(X, PsnrOptions, feature.region)
FV_OPTIONS(psnr_options, OPTION_LIST);

enum { PSNR, YUV = 3, MSE = 4, APSNR = 7, CLIP_YUV = 10, OUTPUTS };

#define SCORE(name, help)                                                                                            \
    {                                                                                                                \
        name, "dB", -96, 108, FV_HIGHER_IS_BETTER, false, help                                                       \
    }
#define ERROR(name, help)                                                                                            \
    {                                                                                                                \
        name, "code values squared", 0, 4294836225., FV_LOWER_IS_BETTER, false, help                                 \
    }
#define TOTAL(name, help)                                                                                            \
    {                                                                                                                \
        name, "dB", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, true, help                                             \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    SCORE("psnr_y", "PSNR of luma"),
    SCORE("psnr_cb", "PSNR of Cb"),
    SCORE("psnr_cr", "PSNR of Cr"),
    SCORE("psnr_yuv", "weighted mean of the PSNR of the three planes"),
    ERROR("mse_y", "mean squared error of luma"),
    ERROR("mse_cb", "mean squared error of Cb"),
    ERROR("mse_cr", "mean squared error of Cr"),
    TOTAL("apsnr_y", "PSNR of the clip's mean squared error of luma"),
    TOTAL("apsnr_cb", "PSNR of the clip's mean squared error of Cb"),
    TOTAL("apsnr_cr", "PSNR of the clip's mean squared error of Cr"),
    TOTAL("apsnr_yuv", "PSNR of the weighted mean of the clip's three mean squared errors"),
};

/* Constants that depend on formats and options. */
typedef struct Psnr {
    int planes;
    double peak2;
    bool yuv; /* true: the instance has the output psnr_yuv, which alone uses the members below */
    double yuv_peak2;
    int64_t weights[3], clip_weights[3]; /* Y, Cb, Cr */
} Psnr;

/*
 * Weights of Y, Cb, Cr for 4:2:0, 4:2:2 and 4:4:4: first those of aom, then those of jvet. aom: AOMediaCodec/avm,
 * tools/convexhull_framework/src/config.yaml and Utils.py. jvet: by custom 6:1:1 for a frame; for the clip the
 * numbers of samples, as VVenC's encoder prints it.
 */
static const int64_t frame_weights[][3] = {{14, 1, 1}, {8, 1, 1}, {4, 1, 1}, {6, 1, 1}, {6, 1, 1}, {6, 1, 1}};
static const int64_t clip_weights[][3] = {{4, 1, 1}, {8, 1, 1}, {4, 1, 1}, {4, 1, 1}, {4, 2, 2}, {4, 4, 4}};

static bool parse_weights(const char *text, int64_t weights[3])
{
    return fv_parse_ints(text, 3, 0, 1000, weights) && weights[0] + weights[1] + weights[2] > 0;
}

static FvStatus open_metric(FvMetricInstance *run, FvError *error)
{
    const PsnrOptions *options = run->options;
    const char *const texts[] = {options->weights, options->clip_weights};
    int64_t weights[3];
    for (int i = 0; i < 2; i++)
        if (texts[i] && !parse_weights(texts[i], weights))
            return fv_fail(error, FV_ERROR_USAGE,
                           "psnr: option %s takes Y:CB:CR, three whole numbers from 0 to 1000 with a sum above 0, as "
                           "in 6:1:1, not '%s'",
                           i ? "clip_weights" : "weights", texts[i]);
    return FV_OK;
}

/* Returns the number of samples of a plane of a frame, each counted by its weight in the region. */
static uint64_t samples_of(const FvMetricInstance *run, int plane, const FvTerm *row)
{
    const FvWeigher *weigher = &((const FvPsnr *)run->feature[0]->state)->weigher[plane];
    return weigher->moving ? (uint64_t)row[FV_PSNR_WEIGHT + plane].integer : weigher->all.sum;
}

/* Returns the divisor by which this frame's weights are scaled down, compared with other frames. */
static uint64_t divisor_of(const FvMetricInstance *run, int plane, const FvTerm *row)
{
    const FvWeigher *weigher = &((const FvPsnr *)run->feature[0]->state)->weigher[plane];
    return weigher->moving ? (uint64_t)row[FV_PSNR_DIVISOR + plane].integer : 1;
}

static double limit_of(const FvMetricInstance *run, double samples)
{
    const PsnrOptions *options = run->options;
    const Psnr *psnr = run->state;
    return options->min_sse > 0 ? ceil(10 * fv_log10_exact(psnr->peak2 / (options->min_sse / samples)))
                                : 6 * run->dis.depth + 12;
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const PsnrOptions *options = run->options;
    const FvPsnr *feature = run->feature[0]->state;
    int depth = run->dis.depth;
    Psnr *psnr = run->state = fv_alloc_zero(sizeof *psnr);
    if (!psnr)
        return fv_fail_memory(error, sizeof *psnr);
    psnr->planes = feature->planes;
    const bool jvet = !strcmp(options->ctc, "jvet");
    const uint32_t whole = (1u << depth) - 1, reduced = 255u << (depth - 8);
    const uint32_t peak = options->reduced_peak ? reduced : whole, yuv_peak = jvet ? reduced : whole;
    psnr->peak2 = (double)(peak * peak);
    psnr->yuv_peak2 = (double)(yuv_peak * yuv_peak);
    psnr->yuv = psnr->planes == 3 && feature->width[1] && feature->height[1];
    if (psnr->yuv) {
        const int row = run->dis.chroma - FV_CHROMA_420 + 3 * jvet;
        memcpy(psnr->weights, frame_weights[row], sizeof psnr->weights);
        memcpy(psnr->clip_weights, clip_weights[row], sizeof psnr->clip_weights);
        if (options->weights)
            (void)parse_weights(options->weights, psnr->weights);
        if (options->clip_weights)
            (void)parse_weights(options->clip_weights, psnr->clip_weights);
    }
    run->limit = options->min_sse > 0 ? 0 : limit_of(run, 0);
    run->present = !psnr->yuv ? 0 : 1u << YUV | (options->apsnr ? 1u << CLIP_YUV : 0);
    for (int plane = 0; plane < psnr->planes; plane++)
        run->present |= (1u << (PSNR + plane)) | (options->mse ? 1u << (MSE + plane) : 0) |
                        (options->apsnr ? 1u << (APSNR + plane) : 0);
    return FV_OK;
}

/* Returns the PSNR of a plane with mean squared error `mse`, at most `limit`. */
static double decibels(double mse, double peak2, double limit)
{
    return fmin(10 * fv_log10_exact(peak2 / fmax(mse, 1e-16)), limit);
}

static double weighted_mean(const int64_t weights[3], const double values[3])
{
    const double a = (double)weights[0], b = (double)weights[1], c = (double)weights[2];
    return ((a * values[0] + b * values[1]) + c * values[2]) / (a + b + c);
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const Psnr *psnr = run->state;
    const FvTerm *sse = fv_rows_at(rows, 0, frame);
    double yuv[3];
    for (int plane = 0; plane < psnr->planes; plane++) {
        double samples = (double)samples_of(run, plane, sse), mse = (double)sse[plane].integer / samples;
        values[MSE + plane] = mse;
        values[PSNR + plane] = decibels(mse, psnr->peak2, limit_of(run, samples));
        yuv[plane] = decibels(mse, psnr->yuv_peak2, 6 * run->dis.depth + 12);
    }
    if (psnr->yuv)
        values[YUV] = weighted_mean(psnr->weights, yuv);
    return FV_OK;
}

/* Adds up, over the clip, a plane's squared errors and its number of samples, each counted by its weight. */
static void clip_sums(const FvMetricInstance *run, const FvRows *rows, int plane, double *errors, double *number)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide total = 0, samples = 0;
    uint64_t divisor = 0;
    for (int64_t frame = rows->first; frame <= rows->last && divisor != 1; frame++) {
        const FvTerm *sse = fv_rows_at(rows, 0, frame);
        divisor = sse ? fv_common_divisor(divisor, divisor_of(run, plane, sse)) : divisor;
    }
    for (int64_t frame = rows->first; frame <= rows->last; frame++) {
        const FvTerm *sse = fv_rows_at(rows, 0, frame);
        const uint64_t weight = sse ? divisor_of(run, plane, sse) / divisor : 0;
        total += sse ? (Wide)sse[plane].integer * weight : 0;
        samples += sse ? (Wide)samples_of(run, plane, sse) * weight : 0;
    }
    *errors = (double)total;
    *number = (double)samples;
}

static FvStatus pool(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error)
{
    const Psnr *psnr = run->state;
    double mse[3];
    for (int plane = 0; plane < psnr->planes; plane++) {
        double total, n;
        clip_sums(run, rows, plane, &total, &n);
        values[APSNR + plane] = fmin(10 * ((fv_log10_exact(psnr->peak2) + fv_log10_exact(n)) - fv_log10_exact(total)),
                                     ceil(10 * fv_log10_exact(psnr->peak2 * n * 2)));
        mse[plane] = (total > 0 ? total : 0.5) / n;
    }
    if (psnr->yuv)
        values[CLIP_YUV] = 10 * fv_log10_exact(psnr->yuv_peak2 / weighted_mean(psnr->clip_weights, mse));
    return FV_OK;
}

static void close_metric(FvMetricInstance *run)
{
    fv_free(run->state);
}

const FvMetric fv_metric_psnr = {
    .info = {.name = "psnr",
             .title = "Peak signal-to-noise ratio",
             .citation = "ITU-T J.340 for the measure; ceilings as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(psnr_options, PsnrOptions),
    .open = open_metric,
    .feature = &fv_feature_psnr,
    .init = init,
    .score = score,
    .pool = pool,
    .close = close_metric,
};
