/* Butteraugli: the distance of two frames in just noticeable differences. docs/metrics/butteraugli.md */
#include <math.h>

#include "feature/butteraugli.h"
#include "metric/light.h"

FV_OPTIONS(butteraugli_options, FV_BUTTER_OPTIONS);

static const FvOutputInfo outputs[] = {
    {"butteraugli", "distance", 0, INFINITY, FV_LOWER_IS_BETTER, false,
     "the greatest distance; 0: equal; 1: about one just noticeable difference"},
    {"butteraugli_3norm", "distance", 0, INFINITY, FV_LOWER_IS_BETTER, false,
     "mean of the 3-norm, 6-norm and 12-norm of distances, which libjxl calls the 3-norm"},
    {"butteraugli_p3", "distance", 0, INFINITY, FV_LOWER_IS_BETTER, false, "the 3-norm of distances"},
    {"butteraugli_p5", "distance", 0, INFINITY, FV_LOWER_IS_BETTER, false, "the 5-norm of distances"},
};

static void features(const FvMetricInstance *run, FvWants *wants)
{
    FvButterOptions options = *(const FvButterOptions *)run->options;
    options.light = fv_light_by_tags(run, &options.light);
    fv_want(wants, &fv_feature_butteraugli, &options);
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const FvButterOptions *options = run->options;
    fv_light_note(run, &options->light);
    return fv_light_check(run, &options->light, error);
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvTerm *row = fv_rows_at(rows, 0, frame);
    values[0] = row[0].real;
    values[1] = ((row[1].real + row[2].real) + row[3].real) / 3;
    values[2] = row[1].real;
    values[3] = row[4].real;
    return FV_OK;
}

static const FvMapOrigin map_origins[] = {{0, 0}};

const FvMetric fv_metric_butteraugli = {
    .info = {.name = "butteraugli",
             .title = "Butteraugli: distance in just noticeable differences",
             .citation = "J. Alakuijala et al., Guetzli: Perceptually Guided JPEG Encoder, 2017; libjxl",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = outputs,
             .output_count = 4,
             .maps = fv_butter_maps,
             .map_count = 1},
    FV_METRIC_OPTIONS(butteraugli_options, FvButterOptions),
    .features = features,
    .init = init,
    .score = score,
    .maps = map_origins,
};
