/* SpEED of the differences of luma between frames. docs/metrics/speed.md */
#include <math.h>

#include "metric/speed.h"

#define OPTION_LIST(X)                                                                                               \
    FV_SPEED_OPTIONS(X)                                                                                              \
    X(FvSpeedOptions, max_val, REAL,                                                                                 \
      ("speed_max_val", "mxv", 1000, 0, 1000, NULL, "what a frame without defined score counts; clips nothing"))     \
    X(FvSpeedOptions, use_ref_diff, BOOL,                                                                            \
      ("speed_use_ref_diff", "urd", 0, "the distorted difference is against the current reference frame"))
FV_OPTIONS(speed_temporal_options, OPTION_LIST);

static const FvOutputInfo outputs[] = {
    {"speed_temporal", "score", 0, INFINITY, FV_LOWER_IS_BETTER, false,
     "difference of information in the change since the frame before; 0 for the first frame"},
};

static FvStatus init(FvRun *run, FvError *error)
{
    return fv_speed_init(run, true, error);
}

static FvStatus score(FvRun *run, const FvWork *work, double *values, FvError *error)
{
    (void)error;
    const FvSpeed *speed = run->state;
    float value = fv_speed_scores(work)[0].score;
    values[0] = isnan(value) ? speed->max_val : value;
    return FV_OK;
}

const FvMetric fv_metric_speed_temporal = {
    .info = {.name = "speed_temporal",
             .title = "SpEED of luma differences between frames",
             .citation = "Bampis, Gupta, Soundararajan, Bovik: SpEED-QA, IEEE SPL 24(9), 2017; as in libvmaf",
             .needs_reference = true,
             .options = speed_temporal_options_info,
             .option_count = speed_temporal_options_count,
             .outputs = outputs,
             .output_count = 1},
    .options = {speed_temporal_options_info, speed_temporal_options_offset, speed_temporal_options_count},
    .options_size = sizeof(FvSpeedOptions),
    .previous = true,
    .init = init,
    .stages = fv_speed_stages,
    .stage_count = FV_SPEED_STAGES,
    .score = score,
    .close = fv_speed_close,
    .gpu = FV_GPU_METRIC(fv_speed_gpu),
};
