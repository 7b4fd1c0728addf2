/* Sums the blurred differences between frames of the reference. docs/metrics/motion.md */
#include "feature/motion.h"

#include "base/error.h"
#include "cpu/motion.h"

#define OPTION_LIST(X) X(FvMotionOptions, five_frame_window, BOOL, FV_MOTION_FIVE_FRAME_WINDOW)
FV_OPTIONS(motion_options, OPTION_LIST);

static const FvTermInfo terms_info[] = {{"sad", FV_TERM_INTEGER}};

#define BAND 128 /* rows per job */

static void sad_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvFrame *older = work->prev_ref[run->behind - 1], *newer = work->ref;
    int first = job * BAND, rows = run->dis.height - first < BAND ? run->dis.height - first : BAND;
    uint64_t *sad = work->frame;
    sad[job] = 0;
    if (!older)
        return;
    FvMotionPlanes planes = {.older = older->data[0],
                             .newer = newer->data[0],
                             .older_stride = older->stride[0],
                             .newer_stride = newer->stride[0],
                             .width = run->dis.width,
                             .height = run->dis.height,
                             .depth = run->dis.depth};
    sad[job] = fv_motion_kernels(run->isa)->sad(&planes, first, rows, work->scratch);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvMotionOptions *options = run->options;
    if (run->dis.width < FV_MOTION_SMALLEST || run->dis.height < FV_MOTION_SMALLEST)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "motion: %dx%d is too small; the metric takes pictures from 3x3", run->dis.width,
                       run->dis.height);
    run->planes = 1;
    run->reads = FV_READS_REFERENCE;
    run->behind = options->five_frame_window ? 2 : 1;
    run->jobs[0] = (run->dis.height + BAND - 1) / BAND;
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(uint64_t);
    run->scratch_bytes = fv_motion_scratch(run->dis.width);
    return FV_OK;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const uint64_t *sad = work->frame;
    for (int i = 0; i < run->jobs[0]; i++)
        row->integer += (int64_t)sad[i];
    return FV_OK;
}

static const FvStage stages[] = {{"blurred differences", sad_job, 0, false}};

const FvFeature fv_feature_motion = {
    .name = "motion",
    .cost = 400,
    FV_FEATURE_OPTIONS(motion_options, FvMotionOptions),
    FV_FEATURE_TERMS(terms_info),
    .every_frame = true,
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_motion_gpu),
    .terms = terms,
};
