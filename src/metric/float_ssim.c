/* SSIM: structural similarity of luma. docs/metrics/ssim.md */
#include <math.h>

#include "feature/ssim.h"
#include "metric/metric.h"
#include "metric/ssim_db.h"

typedef struct SsimOptions {
    FvSsimOptions feature;
    bool lcs, db, clip;
} SsimOptions;

#define OPTION_LIST(X)                                                                                               \
    X(SsimOptions, feature.scale, INT, FV_SSIM_SCALE)                                                                \
    X(SsimOptions, lcs, BOOL, ("enable_lcs", "", 0, "also report luminance, contrast and structure"))                \
    X(SsimOptions, db, BOOL, ("enable_db", "", 0, "the score in decibels: -10 log10(1 - score)"))                    \
    X(SsimOptions, clip, BOOL, ("clip_db", "", 0, "limits decibels to those of the smallest possible difference"))   \
    FV_REGION_OPTIONS(X, SsimOptions, feature.region)
FV_OPTIONS(ssim_options, OPTION_LIST);

enum { SCORE, LIGHT, CONTRAST, STRUCTURE, OUTPUTS };

#define MEAN(name, help)                                                                                             \
    {                                                                                                                \
        name, "", -1, 1, FV_HIGHER_IS_BETTER, false, help                                                            \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    {"float_ssim", "", -1, INFINITY, FV_HIGHER_IS_BETTER, false, "structural similarity of luma; dB with enable_db"},
    MEAN("float_ssim_l", "mean of the luminance term"),
    MEAN("float_ssim_c", "mean of the contrast term"),
    MEAN("float_ssim_s", "mean of the structure term"),
};

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const SsimOptions *options = run->options;
    run->present = (1u << (options->lcs ? OUTPUTS : LIGHT)) - 1;
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const SsimOptions *options = run->options;
    const FvSsim *ssim = run->feature[0]->state;
    const FvTerm *row = fv_rows_at(rows, 0, frame);
    for (int i = 0; i < 3; i++)
        values[LIGHT + i] = fv_ssim_mean(ssim, 0, i, row);
    values[SCORE] = fv_ssim_mean(ssim, 0, 3, row);
    if (options->db)
        values[SCORE] = fv_ssim_db(values[SCORE], options->clip ? fv_ssim_db_limit(&run->dis) : INFINITY);
    return FV_OK;
}

const FvMetric fv_metric_float_ssim = {
    .info = {.name = "float_ssim",
             .title = "Structural similarity of luma",
             .citation =
                 "Wang et al., Image quality assessment: from error visibility to structural similarity, 2004; "
                 "reduced and rounded as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(ssim_options, SsimOptions),
    .feature = &fv_feature_ssim,
    .init = init,
    .score = score,
};
