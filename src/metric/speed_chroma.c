/* SpEED of the chroma planes. docs/metrics/speed.md */
#include <inttypes.h>
#include <stdio.h>

#include "feature/speed.h"
#include "metric/metric.h"

#define OPTION_LIST(X)                                                                                               \
    FV_SPEED_OPTIONS(X)                                                                                              \
    X(FvSpeedOptions, max_val, REAL, ("speed_max_val", "mxv", 1000, 0, 1000, NULL, "upper clip of each score"))      \
    X(FvSpeedOptions, weight_var_mode, INT, FV_SPEED_WEIGHT_VAR_MODE)
FV_OPTIONS(speed_chroma_options, OPTION_LIST);

enum { SCORE_U, SCORE_V, SCORE_UV, OUTPUTS };

static const FvOutputInfo outputs[OUTPUTS] = {
    {"speed_chroma_u", "score", 0, 1000, FV_LOWER_IS_BETTER, false, "difference of information in Cb"},
    {"speed_chroma_v", "score", 0, 1000, FV_LOWER_IS_BETTER, false, "difference of information in Cr"},
    {"speed_chroma_uv", "score", 0, 1000, FV_LOWER_IS_BETTER, false,
     "mean of speed_chroma_u and speed_chroma_v; if one of them is undefined, the other"},
};

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvSpeedOptions *options = run->options;
    const FvTerm *term = fv_rows_at(rows, 0, frame);
    float u = (float)term[0].real, v = (float)term[2].real;
    bool singular_u = term[1].integer, singular_v = term[3].integer;
    values[SCORE_U] = u;
    values[SCORE_V] = v;
    values[SCORE_UV] = singular_u == singular_v ? (u + v) / 2 : singular_u ? v : u;
    for (int i = 0; i < OUTPUTS; i++)
        values[i] = values[i] < options->max_val ? values[i] : options->max_val;
    return FV_OK;
}

/* Notes planes with a singular covariance: they score 0 by definition, as equal planes do. */
static void conclude(const FvMetricInstance *run, const FvRows *rows, char *text, size_t size)
{
    static const char *const planes[] = {"", "Cb is", "Cr is", "Cb and Cr are"};
    int64_t frames = 0, singular[4] = {0};
    for (int64_t frame = rows->first; frame <= rows->last; frame++) {
        const FvTerm *term = fv_rows_at(rows, 0, frame);
        frames += term != NULL;
        for (int which = 1; which < 4 && term; which++)
            singular[which] += (!(which & 1) || term[1].integer) && (!(which & 2) || term[3].integer);
    }
    for (int which = 3; which > 0; which--)
        if (frames && 2 * singular[which] > frames) {
            snprintf(text, size, "%s is undefined: %s flat or too small in %" PRId64 " of %" PRId64 " frames",
                     outputs[which == 3   ? SCORE_UV
                             : which == 1 ? SCORE_U
                                          : SCORE_V]
                         .name,
                     planes[which], singular[which], frames);
            return;
        }
}

const FvMetric fv_metric_speed_chroma = {
    .info = {.name = "speed_chroma",
             .title = "SpEED of the chroma planes",
             .citation = "Bampis, Gupta, Soundararajan, Bovik: SpEED-QA, IEEE SPL 24(9), 2017; as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(speed_chroma_options, FvSpeedOptions),
    .feature = &fv_feature_speed_chroma,
    .score = score,
    .conclude = conclude,
};
