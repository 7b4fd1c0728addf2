/*
 * XPSNR: PSNR with the error of each block weighted by the reference's visual activity in that block.
 * docs/metrics/xpsnr.md
 */
#include <math.h>

#include "arith/exact.h"
#include "feature/xpsnr.h"
#include "metric/metric.h"

FV_OPTIONS(xpsnr_options, FV_XPSNR_OPTIONS);

enum { XPSNR, CLIP = 3, LEAST = 6, WEIGHTED, OUTPUTS };

/* Frame rate when neither the video nor the option states one. At this rate, temporal activity is of first order. */
#define USUAL_RATE 25

#define SCORE(name, sequence, help)                                                                                  \
    {                                                                                                                \
        name, "dB", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, sequence, help                                         \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    SCORE("xpsnr_y", false, "XPSNR of luma; infinite for equal pictures"),
    SCORE("xpsnr_cb", false, "XPSNR of Cb"),
    SCORE("xpsnr_cr", false, "XPSNR of Cr"),
    SCORE("xpsnr_clip_y", true, "XPSNR of the clip's mean root error of luma"),
    SCORE("xpsnr_clip_cb", true, "XPSNR of the clip's mean root error of Cb"),
    SCORE("xpsnr_clip_cr", true, "XPSNR of the clip's mean root error of Cr"),
    SCORE("xpsnr_min", true, "least of the clip's planes"),
    SCORE("xpsnr_w", true, "of the clip: errors of Y, Cb and Cr weighted 4, 1 and 1"),
};

static int whole_rate(const FvMetricInstance *run)
{
    const FvXpsnrOptions *options = run->options;
    if (options->rate)
        return options->rate;
    return run->dis.rate_den ? run->dis.rate_num / run->dis.rate_den : USUAL_RATE;
}

static int planes_of(const FvMetricInstance *run)
{
    const FvXpsnrOptions *options = run->options;
    return options->chroma ? fv_format_planes(&run->dis) : 1;
}

static void features(const FvMetricInstance *run, FvWants *wants)
{
    const FvXpsnrOptions *options = run->options;
    fv_want(wants, &fv_feature_xpsnr,
            &(FvXpsnrOptions){.chroma = options->chroma, .rate = whole_rate(run), .region = options->region});
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const FvXpsnrOptions *options = run->options;
    if (!options->rate && !run->dis.rate_den)
        snprintf(run->note, sizeof run->note,
                 "the frame rate is unknown, so change in time is of first order; from 32 frames per second on the "
                 "option rate changes the score");
    run->present =
        planes_of(run) == 1 ? 1u << XPSNR | 1u << CLIP | 1u << LEAST | 1u << WEIGHTED : (1u << OUTPUTS) - 1;
    return FV_OK;
}

/* Returns the number of samples of a plane of a frame, each counted by its weight in the region. */
static double samples_of(const FvMetricInstance *run, int plane, const FvTerm *row)
{
    const FvWeigher *weigher = &((const FvXpsnr *)run->feature[0]->state)->weigher[plane];
    return (double)(weigher->moving ? (uint64_t)row[FV_XPSNR_WEIGHT + plane].integer : weigher->all.sum);
}

/* Returns 20 log10(M / root), where M is the root of squared errors if all samples have the maximum error. */
static double decibels(const FvMetricInstance *run, double samples, double root)
{
    uint64_t peak = ((uint64_t)1 << run->dis.depth) - 1;
    return 10 * fv_log10_exact(samples * (double)(peak * peak) / (root * root));
}

static double frame_score(const FvMetricInstance *run, int plane, const FvTerm *row)
{
    const int64_t wsse = row[plane].integer;
    return wsse ? decibels(run, samples_of(run, plane, row), sqrt((double)wsse)) : INFINITY;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvTerm *wsse = fv_rows_at(rows, 0, frame);
    for (int plane = 0; plane < planes_of(run); plane++)
        values[XPSNR + plane] = frame_score(run, plane, wsse);
    return FV_OK;
}

/*
 * Computes the clip's score from the mean of the frames' root errors, or, if that mean is below 1, as the mean of the
 * frames' scores. If frames have weights of their own, each root is scaled to the weight of the first frame.
 */
static double clip_score(const FvMetricInstance *run, const FvRows *rows, int plane)
{
    double roots = 0, scores = 0, samples = 0;
    int64_t frames = 0;
    for (int64_t frame = rows->first; frame <= rows->last; frame++) {
        const FvTerm *wsse = fv_rows_at(rows, 0, frame);
        if (!wsse)
            continue;
        if (!frames)
            samples = samples_of(run, plane, wsse);
        roots = roots + sqrt((double)wsse[plane].integer * (samples / samples_of(run, plane, wsse)));
        scores = scores + frame_score(run, plane, wsse);
        frames++;
    }
    if (!frames)
        return NAN;
    return roots >= (double)frames ? decibels(run, samples, roots / (double)frames) : scores / (double)frames;
}

static FvStatus pool(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error)
{
    static const double weights[3] = {4, 1, 1};
    int planes = planes_of(run);
    double least = INFINITY, noise = 0;
    for (int plane = 0; plane < planes; plane++) {
        double value = values[CLIP + plane] = clip_score(run, rows, plane);
        least = plane && !(value < least) ? least : value;
        noise = noise + weights[plane] * fv_pow_exact(10, -value / 10);
    }
    values[LEAST] = least;
    values[WEIGHTED] = planes == 1 ? values[CLIP] : -10 * fv_log10_exact(noise / 6);
    return FV_OK;
}

static const FvMapOrigin map_origins[] = {{0, 0}};

const FvMetric fv_metric_xpsnr = {
    .info = {.name = "xpsnr",
             .title = "Extended perceptually weighted peak signal-to-noise ratio",
             .citation = "Helmrich et al., ITU Journal 3(1), 2020; as in FFmpeg 7.1",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS,
             .maps = fv_xpsnr_maps,
             .map_count = 1},
    FV_METRIC_OPTIONS(xpsnr_options, FvXpsnrOptions),
    .features = features,
    .init = init,
    .score = score,
    .pool = pool,
    .maps = map_origins,
};
