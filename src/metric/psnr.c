/* Peak signal-to-noise ratio: exact integer sums of squares, one logarithm a plane. docs/metrics/psnr.md */
#include <math.h>

#include "arith/exact.h"
#include "base/error.h"
#include "feature/psnr.h"
#include "os/memory.h"
#include "metric/metric.h"

typedef struct PsnrOptions {
    FvPsnrOptions feature;
    bool mse, apsnr, reduced_peak;
    double min_sse;
} PsnrOptions;

#define OPTION_LIST(X)                                                                                               \
    X(PsnrOptions, feature.chroma, BOOL, FV_PSNR_CHROMA)                                                             \
    X(PsnrOptions, mse, BOOL, ("enable_mse", "mse", 0, "also report the mean squared error of each plane"))          \
    X(PsnrOptions, apsnr, BOOL, ("enable_apsnr", "apsnr", 0, "also report the PSNR of the whole clip's mean error")) \
    X(PsnrOptions, reduced_peak, BOOL,                                                                               \
      ("reduced_hbd_peak", "rpeak", 0, "peak is 255 * 2^(depth-8) instead of 2^depth - 1"))                          \
    X(PsnrOptions, min_sse, REAL,                                                                                    \
      ("min_sse", "msse", 0, 0, 1.7976931348623157e308, NULL,                                                        \
       "least sum of squared errors that counts: it limits the score"))                                              \
    FV_REGION_OPTIONS(X, PsnrOptions, feature.region)
FV_OPTIONS(psnr_options, OPTION_LIST);

enum { PSNR, MSE = 3, APSNR = 6, OUTPUTS = 9 };

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
    ERROR("mse_y", "mean squared error of luma"),
    ERROR("mse_cb", "mean squared error of Cb"),
    ERROR("mse_cr", "mean squared error of Cr"),
    TOTAL("apsnr_y", "PSNR of the clip's mean squared error of luma"),
    TOTAL("apsnr_cb", "PSNR of the clip's mean squared error of Cb"),
    TOTAL("apsnr_cr", "PSNR of the clip's mean squared error of Cr"),
};

/* The figures that follow from formats and options. */
typedef struct Psnr {
    int planes;
    double peak2;
} Psnr;

/* The samples of a plane of a frame, each by its weight. */
static uint64_t samples_of(const FvMetricRun *run, int plane, const FvTerm *row)
{
    const FvWeigher *weigher = &((const FvPsnr *)run->feature[0]->state)->weigher[plane];
    return weigher->moving ? (uint64_t)row[FV_PSNR_WEIGHT + plane].integer : weigher->all.sum;
}

/* By which the weights of a frame were divided, relative to other frames. */
static uint64_t divisor_of(const FvMetricRun *run, int plane, const FvTerm *row)
{
    const FvWeigher *weigher = &((const FvPsnr *)run->feature[0]->state)->weigher[plane];
    return weigher->moving ? (uint64_t)row[FV_PSNR_DIVISOR + plane].integer : 1;
}

static double limit_of(const FvMetricRun *run, double samples)
{
    const PsnrOptions *options = run->options;
    const Psnr *psnr = run->state;
    return options->min_sse > 0 ? ceil(10 * fv_log10_exact(psnr->peak2 / (options->min_sse / samples)))
                                : 6 * run->dis.depth + 12;
}

static FvStatus init(FvMetricRun *run, FvError *error)
{
    const PsnrOptions *options = run->options;
    const FvPsnr *feature = run->feature[0]->state;
    int depth = run->dis.depth;
    Psnr *psnr = run->state = fv_alloc_zero(sizeof *psnr);
    if (!psnr)
        return fv_fail_memory(error, sizeof *psnr);
    psnr->planes = feature->planes;
    uint32_t peak = options->reduced_peak ? 255u << (depth - 8) : (1u << depth) - 1;
    psnr->peak2 = (double)(peak * peak);
    run->limit = options->min_sse > 0 ? 0 : limit_of(run, 0);
    run->present = 0;
    for (int plane = 0; plane < psnr->planes; plane++)
        run->present |= (1u << (PSNR + plane)) | (options->mse ? 1u << (MSE + plane) : 0) |
                        (options->apsnr ? 1u << (APSNR + plane) : 0);
    return FV_OK;
}

static FvStatus score(const FvMetricRun *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const Psnr *psnr = run->state;
    const FvTerm *sse = fv_rows_at(rows, 0, frame);
    for (int plane = 0; plane < psnr->planes; plane++) {
        double samples = (double)samples_of(run, plane, sse), mse = (double)sse[plane].integer / samples;
        values[MSE + plane] = mse;
        values[PSNR + plane] = fmin(10 * fv_log10_exact(psnr->peak2 / fmax(mse, 1e-16)), limit_of(run, samples));
    }
    return FV_OK;
}

/* The PSNR of all errors of a plane in the clip. */
static double clip_score(const FvMetricRun *run, const FvRows *rows, int plane)
{
    const Psnr *psnr = run->state;
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
    const double n = (double)samples;
    return fmin(10 * ((fv_log10_exact(psnr->peak2) + fv_log10_exact(n)) - fv_log10_exact((double)total)),
                ceil(10 * fv_log10_exact(psnr->peak2 * n * 2)));
}

static FvStatus pool(const FvMetricRun *run, const FvRows *rows, double *values, FvError *error)
{
    const Psnr *psnr = run->state;
    for (int plane = 0; plane < psnr->planes; plane++)
        values[APSNR + plane] = clip_score(run, rows, plane);
    return FV_OK;
}

static void close_metric(FvMetricRun *run)
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
    .feature = &fv_feature_psnr,
    .init = init,
    .score = score,
    .pool = pool,
    .close = close_metric,
};
