/*
 * The calls for JavaScript, which can pass only numbers and addresses, implemented with the public interface. A Run
 * scores two files, or frames that the caller pushes. Calls that can fail return a status; fw_error() returns its
 * message.
 */
#include <fovea/fovea.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/worst_pictures.h"
#include "text.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("fovea"), import_name(#name)))

typedef struct Run {
    FvRunParams params;
    FvSource *source[2];
    FvSession *session, *merged;
    FvAlignment *alignment;
    FvPlan *plan;
} Run;

static FvError error;

/*
 * Functions of the JavaScript host: host_progress() gets the progress of a run, and ends it by returning false;
 * host_log() gets the library's messages.
 */
IMPORT(progress) bool host_progress(double frames, double total);
IMPORT(log) void host_log(int level, const char *message);

static bool on_progress(void *opaque, const FvProgress *progress)
{
    return host_progress((double)progress->frames, (double)progress->total);
}

static void on_log(void *opaque, FvLogLevel level, const char *message)
{
    host_log(level, message);
}

const char *EXPORT(fw_error)(void);
FvStatus EXPORT(fw_status)(void);
const char *EXPORT(fw_version)(void);
int EXPORT(fw_numerics)(void);
void *EXPORT(fw_alloc)(size_t bytes);
void EXPORT(fw_free)(void *block);
Run *EXPORT(fw_open)(void);
int EXPORT(fw_takes)(const char *name);
FvStatus EXPORT(fw_set)(Run *run, const char *name, const char *value);
FvStatus EXPORT(fw_metrics)(Run *run, const char *metrics);
FvStatus EXPORT(fw_files)(Run *run, const char *reference, const char *distorted);
FvStatus EXPORT(fw_score)(Run *run);
FvStatus EXPORT(fw_plan)(Run *run, int shards);
int EXPORT(fw_shards)(const Run *run);
FvStatus EXPORT(fw_shard)(Run *run, int shard, const char *folder);
FvStatus EXPORT(fw_merge)(Run *run, const char *const *paths, int count);
int EXPORT(fw_colour)(int tag, const char *name);
FvStatus EXPORT(fw_start)(Run *run, const int32_t *reference, const int32_t *distorted);
FvFrame *EXPORT(fw_frame)(const int32_t *format, const char *layout, const void *const data[3],
                          const int32_t stride[3]);
void EXPORT(fw_drop)(FvFrame *frame);
FvStatus EXPORT(fw_push)(Run *run, double number, FvFrame *reference, FvFrame *distorted);
FvStatus EXPORT(fw_finish)(Run *run);
double EXPORT(fw_memory)(const Run *run);
double EXPORT(fw_frames)(const Run *run);
double EXPORT(fw_number)(const Run *run, double frame);
int EXPORT(fw_outputs)(const Run *run);
const char *EXPORT(fw_output)(const Run *run, int output);
bool EXPORT(fw_of_frames)(const Run *run, int output);
bool EXPORT(fw_shown)(const Run *run, int output);
double EXPORT(fw_value)(const Run *run, double frame, int output);
double EXPORT(fw_pool)(const Run *run, int output, int pool);
const char *EXPORT(fw_pool_name)(int pool);
const char *EXPORT(fw_verdict)(Run *run);
FvStatus EXPORT(fw_pictures)(Run *run, FvFrame *reference, FvFrame *distorted, const int32_t *chosen, int count);
char *EXPORT(fw_report)(Run *run, int format);
void EXPORT(fw_close)(Run *run);

const char *fw_error(void)
{
    return error.message;
}

/* Returns the status of the last failure. */
FvStatus fw_status(void)
{
    return error.status;
}

const char *fw_version(void)
{
    return fv_version();
}

int fw_numerics(void)
{
    return fv_numerics_version();
}

void *fw_alloc(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

void fw_free(void *block)
{
    free(block);
}

/* Opens a run. NULL: out of memory. */
Run *fw_open(void)
{
    return calloc(1, sizeof(Run));
}

/* Returns whether a parameter has values other than true and false; -1: there is no such parameter. */
int fw_takes(const char *name)
{
    const FvParamInfo *info = fv_param_info(fv_param_number(name));
    return info ? info->form != NULL : -1;
}

/* Sets a parameter of docs/parameters.md. The text `value` must remain valid until the run is closed. */
FvStatus fw_set(Run *run, const char *name, const char *value)
{
    return fv_run_set(&run->params, name, value, &error);
}

/* Opens the session. `metrics` NULL: the default metrics, which depend on the formats. */
FvStatus fw_metrics(Run *run, const char *metrics)
{
    FvSessionParams params = run->params.session;
    params.device = "cpu";
    params.threads = 1;
    params.log = on_log;
    run->params.session = params;
    FvStatus status = fv_session_open(&run->session, &params, &error);
    if (!status && metrics)
        status = fv_run_add(run->session, &run->params, metrics, &error);
    if (!status && (run->params.model_count || (run->params.roi && !metrics)))
        status = fv_run_add(run->session, &run->params, NULL, &error);
    return status;
}

/* Opens the files; `reference` NULL: there is none. */
FvStatus fw_files(Run *run, const char *reference, const char *distorted)
{
    FvRunParams *params = &run->params;
    const bool usual = !fv_session_metrics(run->session);
    const int count = usual ? 2 : fv_session_metrics(run->session); /* some of the default metrics accept RGB */
    int taking = usual;
    for (int i = 0; i < count && !usual; i++)
        taking += fv_session_metric(run->session, i)->takes_rgb;
    if (!reference && (usual || fv_session_needs_reference(run->session))) {
        error.status = FV_ERROR_USAGE;
        snprintf(error.message, sizeof error.message,
                 "a metric needs the reference: give one, or choose metrics that work without one");
        return error.status;
    }
    params->source[FV_REFERENCE].path = reference;
    params->source[FV_DISTORTED].path = distorted;
    const bool pictures = fv_is_picture(distorted) && (!reference || fv_is_picture(reference));
    FvStatus status = fv_run_settle(params, count, taking, pictures, &error);
    if (!status)
        status = fv_run_look(params, &run->alignment, &error);
    for (int side = reference ? FV_REFERENCE : FV_DISTORTED; side <= FV_DISTORTED && !status; side++)
        status = fv_source_open(&run->source[side], &params->source[side], &error);
    if (!status && usual)
        status = fv_score_add_default(run->session, run->source[FV_REFERENCE], run->source[FV_DISTORTED],
                                      &params->score, params->allow_hdr, &error);
    return status;
}

FvStatus fw_score(Run *run)
{
    run->params.score.progress = on_progress;
    return fv_score(run->session, run->source[FV_REFERENCE], run->source[FV_DISTORTED], &run->params.score, &error);
}

/*
 * Makes a plan of at most `shards` shards, fewer if the videos are short. Equal files and parameters give equal plans
 * in all workers.
 */
FvStatus fw_plan(Run *run, int shards)
{
    FvSource *const *source = run->source;
    FvPlanParams params = {.session = run->session,
                           .reference = source[FV_REFERENCE],
                           .distorted = source[FV_DISTORTED],
                           .reference_params = source[FV_REFERENCE] ? &run->params.source[FV_REFERENCE] : NULL,
                           .distorted_params = &run->params.source[FV_DISTORTED],
                           .score = &run->params.score,
                           .shards = shards};
    FvStatus status;
    while ((status = fv_plan_make(&run->plan, &params, &error)) == FV_ERROR_USAGE && params.shards > 1)
        params.shards--;
    return status;
}

/* Returns the number of shards of the plan. */
int fw_shards(const Run *run)
{
    return fv_plan_shards(run->plan);
}

/* Writes the shard's files into the folder. */
FvStatus fw_shard(Run *run, int shard, const char *folder)
{
    return fv_plan_run(
        run->plan,
        &(FvPlanRunParams){
            .session = run->params.session, .first = shard, .count = 1, .folder = folder, .progress = on_progress},
        &error);
}

FvStatus fw_merge(Run *run, const char *const *paths, int count)
{
    return fv_plan_merge(&run->merged, run->plan,
                         &(FvMergeParams){.paths = paths,
                                          .count = count,
                                          .interval = run->params.session.interval,
                                          .strict = run->params.score.strict},
                         &error);
}

/* Returns a code point of ITU-T H.273 by its name; -1: there is none. */
int fw_colour(int tag, const char *name)
{
    return fv_colour_code((FvColourTag)tag, name);
}

/* Makes a format from numbers in the order of FvFormat's members. */
static FvFormat format_of(const int32_t *n)
{
    return (FvFormat){.width = n[0],
                      .height = n[1],
                      .chroma = (FvChroma)n[2],
                      .depth = n[3],
                      .range = (FvRange)n[4],
                      .rate_num = n[5],
                      .rate_den = n[6],
                      .transfer = n[7],
                      .primaries = n[8],
                      .matrix = n[9],
                      .siting = (FvSiting)n[10],
                      .peak = n[11]};
}

/* Starts a session for frames that the caller pushes; `reference` NULL: there is none. */
FvStatus fw_start(Run *run, const int32_t *reference, const int32_t *distorted)
{
    const FvFormat format[2] = {reference ? format_of(reference) : (FvFormat){0}, format_of(distorted)};
    const FvFormat *first = reference ? &format[0] : NULL;
    FvStatus status = FV_OK;
    if (!fv_session_metrics(run->session))
        status = fv_session_add_default(run->session, first, &format[1], run->params.allow_hdr, &error);
    return status ? status : fv_session_start(run->session, first, &format[1], &error);
}

/*
 * Makes a frame as a copy of planes, or of data in a layout of fv_raw_layout(). Samples are checked during the copy.
 * NULL: fw_error() has the reason.
 */
FvFrame *fw_frame(const int32_t *format, const char *layout, const void *const data[3], const int32_t stride[3])
{
    FvFrame *frame = NULL;
    const FvFormat as = format_of(format);
    const ptrdiff_t strides[3] = {stride[0], stride[1], stride[2]};
    if (fv_frame_alloc(&frame, &as, &error))
        return NULL;
    if (layout ? fv_frame_fill_layout(frame, layout, data, strides, &error)
               : fv_frame_fill(frame, data, strides, &error))
        fv_frame_unref(&frame);
    return frame;
}

/* Frees a frame that was not pushed. */
void fw_drop(FvFrame *frame)
{
    fv_frame_unref(&frame);
}

/* Pushes a pair, and releases both frames, also on failure. `reference` NULL: there is none. */
FvStatus fw_push(Run *run, double number, FvFrame *reference, FvFrame *distorted)
{
    FvStatus status = fv_session_push(run->session, (int64_t)number, reference, distorted, &error);
    fv_frame_unref(&reference);
    fv_frame_unref(&distorted);
    return status;
}

FvStatus fw_finish(Run *run)
{
    return fv_session_finish(run->session, &error);
}

static FvSession *scored(const Run *run)
{
    return run->merged ? run->merged : run->session;
}

double fw_memory(const Run *run)
{
    return (double)fv_session_memory(run->session);
}

double fw_frames(const Run *run)
{
    return (double)fv_session_frames(scored(run));
}

double fw_number(const Run *run, double frame)
{
    return (double)fv_session_frame_number(scored(run), (int64_t)frame);
}

int fw_outputs(const Run *run)
{
    return fv_session_outputs(scored(run));
}

const char *fw_output(const Run *run, int output)
{
    return fv_session_output(scored(run), output)->name;
}

/* Returns whether an output has a value for each frame; otherwise it has one for the clip. */
bool fw_of_frames(const Run *run, int output)
{
    return !fv_session_output(scored(run), output)->sequence;
}

/* Returns whether tables show an output first, as they do one of each metric. */
bool fw_shown(const Run *run, int output)
{
    return fv_session_display(scored(run), output) == FV_DISPLAY_FIRST;
}

double fw_value(const Run *run, double frame, int output)
{
    return fv_session_value(scored(run), (int64_t)frame, output);
}

double fw_pool(const Run *run, int output, int pool)
{
    return fv_session_pool(scored(run), output, (FvPool)pool);
}

/* Returns the name of a pool; NULL after the last. */
const char *fw_pool_name(int pool)
{
    return pool < FV_POOL_COUNT ? fv_pool_name((FvPool)pool) : NULL;
}

/* Returns the verdict's sentence on the clip; NULL: fw_error() has the reason. */
const char *fw_verdict(Run *run)
{
    const FvClipVerdict *verdict;
    return fv_session_judge(scored(run), &verdict, &error) ? NULL : verdict->sentence;
}

/*
 * Adds pictures and maps to the page: of `count` chosen frames and of the worst frames of two files, or of the only
 * pair of a session, `reference` and `distorted`, and releases this pair. `distorted` NULL: files were scored.
 */
FvStatus fw_pictures(Run *run, FvFrame *reference, FvFrame *distorted, const int32_t *chosen, int count)
{
    const FvSourceParams *source = run->params.source;
    FvFrame *const pair[2] = {reference, distorted};
    int64_t frames[EXHIBIT_FRAMES];
    ExhibitParams params = {.file = {source[FV_REFERENCE], source[FV_DISTORTED]},
                            .pair = distorted ? pair : NULL,
                            .chosen = frames,
                            .params = &run->params.score,
                            .threads = 1};
    for (; params.chosen_count < count && params.chosen_count < EXHIBIT_FRAMES; params.chosen_count++)
        frames[params.chosen_count] = chosen[params.chosen_count];
    const FvStatus status = exhibit_add(scored(run), &params, &error);
    fv_frame_unref(&reference);
    fv_frame_unref(&distorted);
    return status;
}

/* Returns the text of a report, which fw_free() frees; NULL: fw_error() has the reason. */
char *fw_report(Run *run, int format)
{
    char *text;
    size_t size;
    FILE *file = fv_text_open(&text, &size);
    FvStatus status = file ? fv_report_print(scored(run), file, (FvReportFormat)format, &error) : FV_OK;
    if (!fv_text_close(file, &text) && !status) {
        error.status = FV_ERROR_MEMORY;
        snprintf(error.message, sizeof error.message, "out of memory for the report");
    }
    if (!status)
        return text;
    free(text);
    return NULL;
}

void fw_close(Run *run)
{
    fv_plan_close(&run->plan);
    fv_session_close(&run->merged);
    fv_session_close(&run->session);
    fv_source_close(&run->source[FV_REFERENCE]);
    fv_source_close(&run->source[FV_DISTORTED]);
    fv_alignment_close(&run->alignment);
    free(run);
}
