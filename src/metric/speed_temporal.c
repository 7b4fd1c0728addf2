/* SpEED of the differences of luma between frames. docs/metrics/speed.md */
#include <math.h>

#include "feature/speed.h"
#include "metric/metric.h"

#define OPTION_LIST(X)                                                                                               \
    FV_SPEED_OPTIONS(X)                                                                                              \
    X(FvSpeedOptions, max_val, REAL,                                                                                 \
      ("speed_max_val", "mxv", 1000, 0, 1000, NULL,                                                                  \
       "score of frames whose score is undefined; does not limit other scores"))                                     \
    X(FvSpeedOptions, use_ref_diff, BOOL, FV_SPEED_USE_REF_DIFF)
FV_OPTIONS(speed_temporal_options, OPTION_LIST);

static const FvOutputInfo outputs[] = {
    {"speed_temporal", "score", 0, INFINITY, FV_LOWER_IS_BETTER, false,
     "difference of information in the change since the frame before; 0 for the first frame"},
};

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvSpeedOptions *options = run->options;
    const FvTerm *term = fv_rows_at(rows, 0, frame);
    float value = (float)term[0].real;
    values[0] = isnan(value) ? options->max_val : value;
    return FV_OK;
}

const FvMetric fv_metric_speed_temporal = {
    .info = {.name = "speed_temporal",
             .title = "SpEED of luma differences between frames",
             .citation = "Bampis, Gupta, Soundararajan, Bovik: SpEED-QA, IEEE SPL 24(9), 2017; as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = 1},
    FV_METRIC_OPTIONS(speed_temporal_options, FvSpeedOptions),
    .feature = &fv_feature_speed_temporal,
    .score = score,
};
