/* Delta E ITP: mean colour difference for HDR and wide gamut. docs/metrics/delta_e_itp.md */
#include "arith/scalar.h"

#include "arith/itp.h"
#include "feature/itp.h"
#include "metric/display.h"

#define OPTION_LIST(X) FV_DISPLAY_OPTIONS(X, FvItpOptions, display)
FV_OPTIONS(itp_options, OPTION_LIST);

enum { MEAN, VISIBLE, OUTPUTS };
static const FvOutputInfo outputs[OUTPUTS] = {
    {"delta_e_itp", "", 0, 1024, FV_LOWER_IS_BETTER, false,
     "mean colour difference; 1 is about one just noticeable difference"},
    {"delta_e_itp_visible", "", 0, 1, FV_LOWER_IS_BETTER, false, "share of the pixels with a difference above 1"},
};

static void want_differences(const FvMetricInstance *run, FvWants *wants)
{
    const FvItpOptions options = {fv_display_by_tags(run, run->options)};
    fv_want(wants, &fv_feature_itp, &options);
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    return fv_display_choose(run, run->options, error);
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvTerm *terms = fv_rows_at(rows, 0, frame);
    const double pixels = (double)run->dis.width * run->dis.height;
    values[MEAN] = (double)terms[FV_ITP_SUM].integer / (pixels * FV_ITP_UNIT);
    values[VISIBLE] = (double)terms[FV_ITP_VISIBLE].integer / pixels;
    return FV_OK;
}

static const FvMapOrigin map_origins[] = {{0, 0}};

const FvMetric fv_metric_delta_e_itp = {
    .info = {.name = "delta_e_itp",
             .title = "Delta E ITP, colour difference for HDR and wide gamut",
             .citation = "ITU-R BT.2124, Objective metric for the assessment of the potential visibility of colour "
                         "differences in television, 2019",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = outputs,
             .output_count = OUTPUTS,
             .maps = fv_itp_maps,
             .map_count = 1},
    FV_METRIC_OPTIONS(itp_options, FvItpOptions),
    .features = want_differences,
    .init = init,
    .score = score,
    .maps = map_origins,
};
