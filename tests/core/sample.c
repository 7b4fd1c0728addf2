#include "sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "session/state.h"

#if FV_HAVE_GPU
#include "gpu/launches.h"

#include "sample_args.h"

extern const FvKernel fv_kernel_sample_rows, fv_kernel_sample_moment, fv_kernel_sample_change;
#endif

bool sample_gpu_maps = true, sample_maps_known;
atomic_int sample_rows_jobs, sample_moment_jobs, sample_change_jobs, sample_map_jobs;

#define FEATURE_OPTIONS(X)                                                                                           \
    X(SampleOptions, weight, INT, ("weight", "w", 1, 1, 9, NULL, "factor"))                                          \
    X(SampleOptions, back, INT, ("back", "b", 1, 1, 2, NULL, "frames"))
FV_OPTIONS(feature_options, FEATURE_OPTIONS);

#define METRIC_OPTIONS(X)                                                                                            \
    FEATURE_OPTIONS(X)                                                                                               \
    X(SampleOptions, ahead, INT, ("ahead", "a", 0, 0, 9, NULL, "frames"))                                            \
    X(SampleOptions, behind, INT, ("behind", "be", 0, 0, 9, NULL, "frames"))                                         \
    X(SampleOptions, file, PATH, ("file", "f", "decides nothing"))
FV_OPTIONS(metric_options, METRIC_OPTIONS);

/* ---- Features on the CPU ------------------------------------------------------------------------------------ */

/* Initialises a feature whose working memory holds one number per row. */
static FvStatus init(FvFeatureInstance *run, unsigned planes, unsigned reads, FvError *error)
{
    if (run->dis.depth != 8)
        return fv_fail(error, FV_ERROR_INPUT, "%s takes 8 bits", run->feature->name);
    run->planes = planes;
    run->reads = reads;
    run->frame_bytes = (size_t)run->dis.height * sizeof(uint32_t);
    return FV_OK;
}

static FvStatus init_rows(FvFeatureInstance *run, FvError *error)
{
    run->jobs[0] = run->jobs[1] = run->dis.height;
    run->map[0].maximum = 255 * ((const SampleOptions *)run->options)->weight;
    FvStatus status = init(run, 1, FV_READS_DISTORTED, error);
    sample_maps_known = run->wanted_maps != 0;
    return status;
}

static FvStatus init_moment(FvFeatureInstance *run, FvError *error)
{
    return init(run, 0, 0, error);
}

static FvStatus init_change(FvFeatureInstance *run, FvError *error)
{
    run->jobs[0] = run->dis.height;
    run->behind = ((const SampleOptions *)run->options)->back;
    return init(run, 1, FV_READS_REFERENCE, error);
}

static void moment_inputs(const void *options, FvWants *wants)
{
    fv_want(wants, &sample_rows, options);
}

static uint32_t weighted(const FvFeatureInstance *run, const FvWork *work, int x, int y)
{
    return (uint32_t)((const SampleOptions *)run->options)->weight * work->dis->data[0][y * work->dis->stride[0] + x];
}

static void rows_job(const FvFeatureInstance *run, const FvWork *work, int y)
{
    uint32_t sum = 0;
    sample_rows_jobs += !y;
    for (int x = 0; x < run->dis.width; x++)
        sum += weighted(run, work, x, y);
    ((uint32_t *)work->frame)[y] = sum;
}

static void map_job(const FvFeatureInstance *run, const FvWork *work, int y)
{
    sample_map_jobs += !y;
    for (int x = 0; x < run->dis.width; x++)
        work->map[0].data[y * work->map[0].stride + x] = (float)weighted(run, work, x, y);
}

static void moment_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    uint32_t sum = 0;
    sample_moment_jobs++;
    for (int y = 0; y < run->dis.height; y++)
        sum += ((const uint32_t *)work->input[0])[y] * (uint32_t)(y + 1);
    *(uint32_t *)work->frame = sum;
}

static void change_job(const FvFeatureInstance *run, const FvWork *work, int y)
{
    const FvFrame *before = work->prev_ref[run->behind - 1];
    uint32_t sum = 0;
    sample_change_jobs += !y;
    for (int x = 0; before && x < run->dis.width; x++)
        sum += (uint32_t)abs(work->ref->data[0][y * work->ref->stride[0] + x] -
                             before->data[0][y * before->stride[0] + x]);
    ((uint32_t *)work->frame)[y] = sum;
}

static FvStatus row_terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    for (int y = 0; y < run->dis.height; y++)
        row[0].integer += ((const uint32_t *)work->frame)[y];
    return FV_OK;
}

static FvStatus moment_terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    row[0].integer = *(const uint32_t *)work->frame;
    row[1].real = (double)row[0].integer / 2;
    return FV_OK;
}

static const FvStage rows_stages[] = {{"rows", rows_job, 0, false}, {"map", map_job, 0, true}};
static const FvStage moment_stages[] = {{"moment", moment_job, 0, false}};
static const FvStage change_stages[] = {{"change", change_job, 0, false}};

/* ---- The same on GPUs --------------------------------------------------------------------------------------- */

#if FV_HAVE_GPU
static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    plan->work_bytes = plan->result_bytes = run->frame_bytes;
    plan->maps = sample_gpu_maps;
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvSampleArgs args = {.pairs = batch->pairs,
                         .work = batch->work,
                         .results = batch->results,
                         .rows = batch->input[0].work,
                         .map = batch->map[0],
                         .work_stride = batch->work_stride,
                         .result_stride = batch->result_stride,
                         .rows_stride = batch->input[0].work_stride,
                         .map_stride = batch->map_stride[0],
                         .maps = batch->map[0] != 0,
                         .width = run->dis.width,
                         .height = run->dis.height,
                         .weight = (uint32_t)((const SampleOptions *)run->options)->weight,
                         .back = (uint32_t)run->behind};
    bool moment = run->feature == &sample_moment;
    fv_gpu_launch(batch, run->feature->gpu->kernels[0], &args, moment ? 1 : (uint32_t)run->dis.height, 1);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    memcpy(work->frame, result, run->frame_bytes);
}

#define GPU(noun)                                                                                                    \
    static const FvKernel *const noun##_kernels[] = {&fv_kernel_sample_##noun, NULL};                                \
    static const FvGpuFeature noun##_gpu = {                                                                         \
        .kernels = noun##_kernels, .plan = plan, .record = record, .results = results};
GPU(rows)
GPU(moment)
GPU(change)
#endif

static const FvTermInfo rows_terms_info[] = {{"sum", FV_TERM_INTEGER}};
static const FvTermInfo moment_terms_info[] = {{"moment", FV_TERM_INTEGER}, {"half", FV_TERM_REAL}};
static const FvTermInfo change_terms_info[] = {{"change", FV_TERM_INTEGER}};
static const FvMapInfo maps[] = {{"samples", "code values", 0, 2295, "weighted samples", 0, false}};

FvFeature sample_rows = {
    .name = "sample_rows",
    .options = {feature_options_info, feature_options_offset, feature_options_count},
    .options_size = sizeof(SampleOptions),
    .terms_info = rows_terms_info,
    .term_count = 1,
    .maps = maps,
    .map_count = 1,
    .init = init_rows,
    .stages = rows_stages,
    .stage_count = 2,
    .gpu = FV_GPU_FEATURE(rows_gpu),
    .terms = row_terms,
};

FvFeature sample_moment = {
    .name = "sample_moment",
    .options = {feature_options_info, feature_options_offset, feature_options_count},
    .options_size = sizeof(SampleOptions),
    .terms_info = moment_terms_info,
    .term_count = 2,
    .inputs = moment_inputs,
    .init = init_moment,
    .stages = moment_stages,
    .stage_count = 1,
    .gpu = FV_GPU_FEATURE(moment_gpu),
    .terms = moment_terms,
};

FvFeature sample_change = {
    .name = "sample_change",
    .options = {feature_options_info, feature_options_offset, feature_options_count},
    .options_size = sizeof(SampleOptions),
    .terms_info = change_terms_info,
    .term_count = 1,
    .every_frame = true,
    .init = init_change,
    .stages = change_stages,
    .stage_count = 1,
    .gpu = FV_GPU_FEATURE(change_gpu),
    .terms = row_terms,
};

/* ---- Metrics ------------------------------------------------------------------------------------------------ */

static void want_still(const FvMetricInstance *run, FvWants *wants)
{
    const SampleOptions *options = run->options;
    fv_want(wants, &sample_rows, &(SampleOptions){.weight = options->weight, .back = 1});
    fv_want(wants, &sample_moment, &(SampleOptions){.weight = options->weight, .back = 1});
}

static FvStatus score_still(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values,
                            FvError *error)
{
    values[0] = (double)fv_rows_at(rows, 0, frame)->integer;
    values[1] = (double)fv_rows_at(rows, 1, frame)[0].integer;
    values[2] = fv_rows_at(rows, 1, frame)[1].real;
    return FV_OK;
}

static void want_window(const FvMetricInstance *run, FvWants *wants)
{
    const SampleOptions *options = run->options;
    fv_want(wants, &sample_change, &(SampleOptions){.weight = 1, .back = options->back});
    fv_want(wants, &sample_moment, &(SampleOptions){.weight = options->weight, .back = 1});
}

static FvStatus init_window(FvMetricInstance *run, FvError *error)
{
    const SampleOptions *options = run->options;
    run->ahead = options->ahead;
    run->behind = options->behind;
    return FV_OK;
}

/* Also asks for one row beyond each end of the window, which it must not get. */
static FvStatus score_window(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values,
                             FvError *error)
{
    double changes = 0, moments = 0, seen = 0;
    for (int64_t f = frame - run->behind - 1; f <= frame + run->ahead + 1; f++) {
        const FvTerm *change = fv_rows_at(rows, 0, f), *moment = fv_rows_at(rows, 1, f);
        seen += change != NULL;
        changes += change ? (double)change->integer : 0;
        moments += moment ? (double)moment->integer : 0;
    }
    values[0] = changes;
    values[1] = moments;
    values[2] = seen;
    return FV_OK;
}

static FvStatus pool_window(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error)
{
    values[3] = 0;
    for (int64_t f = rows->first; f <= rows->last; f++)
        values[3] += (double)fv_rows_at(rows, 0, f)->integer;
    return FV_OK;
}

static FvStatus score_blind(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values,
                            FvError *error)
{
    values[0] = (double)frame + 0.5;
    return FV_OK;
}

#define OUTPUT(name, sequence)                                                                                       \
    {                                                                                                                \
        name, "score", 0, 1e300, FV_LOWER_IS_BETTER, sequence, ""                                                    \
    }
static const FvOutputInfo still_outputs[] = {OUTPUT("sum", false), OUTPUT("moment", false), OUTPUT("half", false)};
static const FvOutputInfo window_outputs[] = {OUTPUT("changes", false), OUTPUT("moments", false),
                                              OUTPUT("seen", false), OUTPUT("total", true)};
static const FvOutputInfo blind_outputs[] = {OUTPUT("blind", false)};
static const FvMapOrigin origins[] = {{0, 0}};

#define METRIC_OPTION_TABLE                                                                                          \
    .options = {metric_options_info, metric_options_offset, metric_options_count},                                   \
    .options_size = sizeof(SampleOptions)

const FvMetric sample_still = {
    .info = {.name = "still", .outputs = still_outputs, .output_count = 3, .maps = maps, .map_count = 1},
    METRIC_OPTION_TABLE,
    .features = want_still,
    .score = score_still,
    .maps = origins,
};

const FvMetric sample_window = {
    .info = {.name = "window", .needs_reference = true, .outputs = window_outputs, .output_count = 4},
    METRIC_OPTION_TABLE,
    .features = want_window,
    .init = init_window,
    .score = score_window,
    .pool = pool_window,
};

const FvMetric sample_blind = {
    .info = {.name = "blind", .outputs = blind_outputs, .output_count = 1},
    METRIC_OPTION_TABLE,
    .init = init_window,
    .score = score_blind,
};

FvStatus sample_add(FvSession *session, const FvMetric *metric, const char *text, FvError *error)
{
    FvStatus status = fv_metric_open_as(&session->metrics.run[session->metrics.count], metric, text, error);
    session->metrics.count += !status;
    return status;
}
