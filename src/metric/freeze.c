/* Frozen and repeated frames, by exact comparison. docs/metrics/freeze.md */
#include "metric/check.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvFreezeRule, noise, INT,                                                                                      \
      ("noise", "", 1000, 0, 1000000, "1/1000000", "greatest mean difference of a frozen frame, of full scale"))     \
    X(FvFreezeRule, peak, INT,                                                                                       \
      ("peak", "", 512, 0, 65535, "1/256 code", "greatest mean difference of a block of a frozen frame, at 8 bits")) \
    X(FvFreezeRule, drift, INT,                                                                                      \
      ("drift", "", 768, 0, 65535, "1/256 code", "most that a part of the picture drifts in a freeze, at 8 bits"))   \
    X(FvFreezeRule, time, REAL, ("time", "", 2, 0, 86400, "s", "shortest freeze"))                                   \
    X(FvFreezeRule, repeat_time, REAL, ("repeat_time", "", 0, 0, 86400, "s", "shortest run of repeats; 0: any"))
FV_OPTIONS(freeze_options, OPTION_LIST);

enum { REPEAT, DIFF, PEAK, OUTPUTS };

#define LIST(side, of)                                                                                               \
    {"repeat" side, "", 0, 1, FV_NEITHER_IS_BETTER, false, "1: every sample equals the frame before's" of},          \
        {"frame_diff" side,                                                                                          \
         "",                                                                                                         \
         0,                                                                                                          \
         1,                                                                                                          \
         FV_NEITHER_IS_BETTER,                                                                                       \
         false,                                                                                                      \
         "mean difference from the frame before, of full scale" of},                                                 \
    {                                                                                                                \
        "frame_diff_peak" side, "code values", 0, 255, FV_NEITHER_IS_BETTER, false,                                  \
            "mean difference of the block that changed most, at 8 bits" of                                           \
    }
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

/* Requests the features. Events need the feature black to distinguish frozen frames from black ones. */
static void features(const FvMetricInstance *run, FvWants *wants)
{
    FvBlackOptions black;
    fv_options_default(&black, &fv_feature_black.options);
    fv_want(wants, &fv_feature_freeze, run->options);
    fv_want(wants, &fv_feature_black, &black);
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    fv_check_present(run, (1u << OUTPUTS) - 1);
    return FV_OK;
}

static double samples_of(const FvFormat *format)
{
    double samples = 0;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        samples += (double)width * height;
    }
    return samples;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame) + side * FV_FREEZE_TERMS;
        const FvTerm *sad = terms + FV_FREEZE_SAD;
        const double full = (double)((1 << run->dis.depth) - 1), unit = (double)(256 << (run->dis.depth - 8));
        double *value = values + side * OUTPUTS;
        value[REPEAT] = terms[FV_FREEZE_DIFFER].integer ? 0 : 1;
        value[DIFF] = (double)(sad[0].integer + sad[1].integer + sad[2].integer) / (samples_of(&run->dis) * full);
        value[PEAK] = (double)terms[FV_FREEZE_PEAK].integer / unit;
        for (int i = 0; i < OUTPUTS && !frame; i++)
            value[i] = fv_missing();
    }
    return FV_OK;
}

const FvMetric fv_metric_freeze = {
    .info = {.name = "freeze",
             .title = "Repeated and frozen frames",
             .citation = "exact comparison; the mean difference as in FFmpeg's freezedetect",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * OUTPUTS},
    FV_METRIC_OPTIONS(freeze_options, FvFreezeRule),
    .features = features,
    .init = init,
    .score = score,
};
