/* Motion of VMAF: scores from sums of differences of frames. docs/metrics/motion.md */
#include "feature/motion.h"

#include "metric/metric.h"
#include "motion_window.h"

typedef struct MotionOptions {
    FvMotionOptions feature;
    bool force_zero, moving_average, debug, change_only;
    double blend_factor, blend_offset, fps_weight, max_val;
} MotionOptions;

#define OPTION_LIST(X)                                                                                               \
    X(MotionOptions, force_zero, BOOL, ("motion_force_zero", "force_0", 0, "every score is 0"))                      \
    X(MotionOptions, blend_factor, REAL,                                                                             \
      ("motion_blend_factor", "mbf", 1, 0, 1, NULL, "weight of motion3 beyond motion_blend_offset"))                 \
    X(MotionOptions, blend_offset, REAL,                                                                             \
      ("motion_blend_offset", "mbo", 40, 0, 1000, NULL, "motion3 below this keeps its weight"))                      \
    X(MotionOptions, fps_weight, REAL,                                                                               \
      ("motion_fps_weight", "mfw", 1, 0, 5, NULL, "factor on scores, before they are clipped"))                      \
    X(MotionOptions, max_val, REAL, ("motion_max_val", "mmxv", 10000, 0, 10000, NULL, "upper clip of scores"))       \
    X(MotionOptions, feature.five_frame_window, BOOL, FV_MOTION_FIVE_FRAME_WINDOW)                                   \
    X(MotionOptions, moving_average, BOOL,                                                                           \
      ("motion_moving_average", "mma", 0, "motion3 is the mean with the frame before"))                              \
    X(MotionOptions, debug, BOOL, ("debug", "debug", 0, "also report integer_motion, the score before windows"))     \
    X(MotionOptions, change_only, BOOL,                                                                              \
      ("motion_change_only", "", 0, "report integer_motion alone, which is known without later frames"))
FV_OPTIONS(motion_options, OPTION_LIST);

enum { MOTION2, MOTION3, MOTION, OUTPUTS };

static const FvOutputInfo outputs[OUTPUTS] = {
    {"integer_motion2", "code values", 0, 10000, FV_NEITHER_IS_BETTER, false,
     "the lesser of the changes to and from the frame"},
    {"integer_motion3", "code values", 0, 10000, FV_NEITHER_IS_BETTER, false,
     "motion2, blended and averaged as options say; the first frames get the first change"},
    {"integer_motion", "code values", 0, 10000, FV_NEITHER_IS_BETTER, false, "change from the frame before"},
};

/* The range of frames whose motion is known. */
typedef struct Clip {
    const MotionOptions *options;
    const FvRows *rows;
    int64_t distance;
    uint32_t samples;
} Clip;

static bool exists(const void *of, int64_t frame)
{
    const Clip *clip = of;
    return fv_rows_at(clip->rows, 0, frame) != NULL;
}

static double change(const void *of, int64_t frame)
{
    const Clip *clip = of;
    const FvTerm *term = fv_rows_at(clip->rows, 0, frame);
    if (frame < clip->distance || clip->options->force_zero || !term)
        return 0;
    double mean = (double)term->integer / 256.0 / clip->samples;
    return fv_motion_least(mean * clip->options->fps_weight, clip->options->max_val);
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const MotionOptions *options = run->options;
    run->present = 1u << MOTION;
    if (options->change_only)
        return FV_OK;
    run->present = 1u << MOTION2 | 1u << MOTION3 | (options->debug ? 1u << MOTION : 0);
    run->ahead = options->feature.five_frame_window ? 2 : 1;
    run->behind = 2;
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const MotionOptions *options = run->options;
    Clip clip = {options, rows, options->feature.five_frame_window ? 2 : 1,
                 (uint32_t)run->dis.width * (uint32_t)run->dis.height};
    const FvMotionWindow window = {clip.distance,
                                   options->blend_factor,
                                   options->blend_offset,
                                   options->max_val,
                                   options->moving_average,
                                   exists,
                                   change,
                                   &clip};
    values[MOTION] = change(&clip, frame);
    if (options->change_only)
        return FV_OK;
    values[MOTION2] = fv_motion2(&window, frame);
    values[MOTION3] = fv_motion3(&window, frame);
    return FV_OK;
}

const FvMetric fv_metric_motion = {
    .info = {.name = "motion",
             .title = "Motion of VMAF",
             .citation = "as in libvmaf: Li, Aaron, Katsavounidis, Moorthy, Manohara, Toward a Practical Perceptual "
                         "Video Quality Metric, 2016",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = OUTPUTS},
    FV_METRIC_OPTIONS(motion_options, MotionOptions),
    .feature = &fv_feature_motion,
    .init = init,
    .score = score,
};
