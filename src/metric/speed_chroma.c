/* SpEED of the chroma planes. docs/metrics/speed.md */
#include "metric/speed.h"

#define OPTION_LIST(X)                                                                                               \
    FV_SPEED_OPTIONS(X)                                                                                              \
    X(FvSpeedOptions, max_val, REAL, ("speed_max_val", "mxv", 1000, 0, 1000, NULL, "upper clip of each score"))      \
    X(FvSpeedOptions, weight_var_mode, INT,                                                                          \
      ("speed_weight_var_mode", "wvm", 0, 0, 6, NULL, "which variances weight the entropies"))
FV_OPTIONS(speed_chroma_options, OPTION_LIST);

enum { SCORE_U, SCORE_V, SCORE_UV, OUTPUTS };

static const FvOutputInfo outputs[OUTPUTS] = {
    {"speed_chroma_u", "score", 0, 1000, FV_LOWER_IS_BETTER, false, "difference of information in Cb"},
    {"speed_chroma_v", "score", 0, 1000, FV_LOWER_IS_BETTER, false, "difference of information in Cr"},
    {"speed_chroma_uv", "score", 0, 1000, FV_LOWER_IS_BETTER, false,
     "mean of both, or the one that is defined when the other is singular"},
};

static FvStatus init(FvRun *run, FvError *error)
{
    return fv_speed_init(run, false, error);
}

static FvStatus score(FvRun *run, const FvWork *work, double *values, FvError *error)
{
    (void)error;
    const FvSpeed *speed = run->state;
    FvSpeedScore u = fv_speed_scores(work)[0], v = fv_speed_scores(work)[1];
    values[SCORE_U] = u.score;
    values[SCORE_V] = v.score;
    values[SCORE_UV] = u.singular == v.singular ? (u.score + v.score) / 2 : u.singular ? v.score : u.score;
    for (int i = 0; i < OUTPUTS; i++)
        values[i] = values[i] < speed->max_val ? values[i] : speed->max_val;
    return FV_OK;
}

const FvMetric fv_metric_speed_chroma = {
    .info = {.name = "speed_chroma",
             .title = "SpEED of the chroma planes",
             .citation = "Bampis, Gupta, Soundararajan, Bovik: SpEED-QA, IEEE SPL 24(9), 2017; as in libvmaf",
             .needs_reference = true,
             .options = speed_chroma_options_info,
             .option_count = speed_chroma_options_count,
             .outputs = outputs,
             .output_count = OUTPUTS},
    .options = {speed_chroma_options_info, speed_chroma_options_offset, speed_chroma_options_count},
    .options_size = sizeof(FvSpeedOptions),
    .init = init,
    .stages = fv_speed_stages,
    .stage_count = FV_SPEED_STAGES,
    .score = score,
    .close = fv_speed_close,
    .gpu = FV_GPU_METRIC(fv_speed_gpu),
};
