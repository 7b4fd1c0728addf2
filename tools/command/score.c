/* fovea score: opens two videos and a session, scores, reports, and judges. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "command/batch.h"
#include "cli/process.h"
#include "result/exhibit.h"
#include "fovea/fovea.h"
#include "result/gate.h"
#include "cli/message.h"
#include "image/picture.h"
#include "cli/progress.h"
#include "result/pick.h"
#include "result/print.h"
#include "result/reports.h"
#include "scoring/pairing.h"
#include "scoring/resume.h"
#include "scoring/scoring.h"
#include "scoring/videos.h"
#include "result/table.h"

/* Everything that lives during one scoring. */
typedef struct Job {
    const Options *options;
    Opened opened;
    FvSession *merged; /* what was scored in shards; NULL: the opened session has the scores */
    FvPlan *plan;      /* of these shards */
    ProgressStyle style;
    Gates gates;
    bool gates_checked;
    FvStatus gate_status;
    FvJson *answer; /* to a job of --batch, in place of the table; or NULL */
    int64_t interval;
} Job;

static FvSession *scored(const Job *job)
{
    return job->merged ? job->merged : job->opened.session;
}

/* Whether the session has the scores that gates and --print name. */
static FvStatus check_scores(const Job *job, FvSession *session)
{
    FvStatus status = gates_check(&job->gates, session);
    return status == FV_OK ? print_check_scores(job->options, session) : status;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Job *job = opaque;
    if (!job->gates_checked)
        job->gate_status = check_scores(job, job->opened.session);
    job->gates_checked = true;
    progress_show(job->style, progress);
    return job->gate_status == FV_OK;
}

static bool on_shard_progress(void *opaque, const FvProgress *progress)
{
    const Job *job = opaque;
    progress_show(job->style, progress);
    return true;
}

/* Checked before hours are spent on their contents. */
static FvStatus check_outputs(const Job *job)
{
    FvError error = {0};
    Report reports[REPORTS];
    const int count = reports_list(job->options, reports);
    FvStatus status = FV_OK;
    for (int i = 0; i < (count ? count : 1) && !status; i++) {
        const FvOutputParams params = {.path = count ? reports[i].path : NULL,
                                       .sources =
                                           (const FvSource *const[]){job->opened.source[0], job->opened.source[1]},
                                       .source_count = 2,
                                       .files = &job->options->batch,
                                       .file_count = job->options->batch != NULL,
                                       .session = job->opened.session};
        status = outputs_check(&params, &error);
    }
    return complain_if(status, &error);
}

/* Several devices share the frames. */
static bool has_devices(const Options *options)
{
    return options->device && (strchr(options->device, ',') || !strcmp(options->device, "all"));
}

static FvSessionParams session_params(const Job *job)
{
    const Options *options = job->options;
    return (FvSessionParams){.device = options->device,
                             .isa = options->isa,
                             .threads = (int)options->threads,
                             .in_flight = (int)options->in_flight,
                             .log = message_log,
                             .cancel = job->opened.cancel,
                             .interval = job->interval,
                             .scenes = options->scenes,
                             .overwrite = options->overwrite};
}

static FvStatus check_pace(const Options *options)
{
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    if (!options->pace)
        return FV_OK;
    if (options->resume || has_devices(options))
        return complain(FV_ERROR_USAGE, "--pace measures one process with one device: leave out %s",
                        options->resume ? "--resume" : "--pace, or name one device");
    for (int i = 0; i < count; i++)
        if (reports[i].format != FV_REPORT_CSV)
            return FV_OK;
    return complain(FV_ERROR_USAGE,
                    "--pace is part of reports in JSON, NDJSON and HTML: write one with -o FILE.json");
}

static FvStatus check_strict(const Options *options)
{
    if (!options->strict || (!options->resume && !has_devices(options)))
        return FV_OK;
    return complain(FV_ERROR_USAGE, "--strict watches the videos in one process with one device: leave out %s",
                    options->resume ? "--resume" : "--strict, or name one device");
}

static FvStatus open_all(Job *job)
{
    const Options *options = job->options;
    if (!options->distorted)
        return complain(FV_ERROR_USAGE, "the video is missing: fovea score REFERENCE DISTORTED");
    FvStatus status = reports_check(options);
    if (status == FV_OK)
        status = pairing_time("--intervals", options->intervals, false, &job->interval);
    if (status == FV_OK)
        status = gates_parse(&job->gates, options);
    if (status == FV_OK)
        status = print_check(options);
    if (status == FV_OK && options->resume && !options->outputs.count)
        status = complain(FV_ERROR_USAGE, "--resume needs -o FILE: finished parts are kept in FILE.shards");
    if (status == FV_OK)
        status = check_pace(options);
    if (status == FV_OK)
        status = check_strict(options);
    if (status != FV_OK)
        return status;
    FvSessionParams params = session_params(job);
    if (has_devices(options) || options->resume) /* this session never scores */
        params.device = "cpu";
    status = scoring_open(&job->opened, options, &params);
    job->opened.params.progress = on_progress;
    job->opened.params.opaque = job;
    job->opened.params.pace = options->pace;
    if (status == FV_OK)
        status = check_outputs(job);
    return status == FV_OK ? scoring_align(&job->opened, options) : status;
}

/* The table or the numbers of --print; as an output, so that a reader who stops reading cannot block the end. */
static FvStatus print_result(const Job *job, FvError *error)
{
    FvOutput *output;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = "-", .cancel = job->opened.cancel}, error);
    if (!status) {
        const TableParams params = {
            .gates = &job->gates, .reports = job->options->outputs.count > 0, .details = job->options->details};
        if (job->options->print.count)
            print_scores(fv_output_file(output), job->options, scored(job));
        else
            table_print(fv_output_file(output), scored(job), &params);
        status = fv_output_close(&output, error);
    }
    return complain_if(status, error);
}

/* On one machine, by the same steps as on many. */
static FvStatus score_shards(Job *job, FvError *error)
{
    FvPlanRunParams params = {.session = session_params(job), .progress = on_shard_progress, .opaque = job};
    FvStatus status = resume_score(&job->merged, &job->plan, &job->opened, &params,
                                   job->options->resume ? job->options->outputs.items[0] : NULL, error);
    if (job->merged && job->gate_status == FV_OK)
        job->gate_status = check_scores(job, job->merged);
    return status;
}

/* For the page, which works without them. Failures are a lack of memory, and a stop after the last frame was scored.
 */
static FvStatus add_pictures(const Job *job, bool whole)
{
    const Opened *opened = &job->opened;
    ExhibitParams params = {.params = &opened->params, .threads = options_source_threads(job->options)};
    FvError error = {0};
    if (!picture_has_png())
        return FV_OK;
    for (int side = fv_session_needs_reference(opened->session) ? 0 : 1; side < 2; side++)
        params.file[side] = opened->source_params[side];
    if (!fv_cancel_requested(opened->cancel) && !exhibit_add(scored(job), &params, &error))
        return FV_OK;
    if (fv_cancel_requested(opened->cancel))
        return whole ? complain(FV_ERROR_PARTIAL, "stopped on request: the report has all scores, and no pictures")
                     : FV_OK;
    warn("the report has no pictures: %s", error.message);
    return error.status == FV_ERROR_MEMORY ? FV_ERROR_MEMORY : FV_OK;
}

static void write_answer(const Job *job)
{
    const FvSession *session = scored(job);
    fv_json_int(job->answer, "frames", fv_session_frames(session));
    fv_json_open(job->answer, "scores", '{');
    for (int i = 0; i < fv_session_outputs(session); i++) {
        fv_json_open(job->answer, fv_session_output(session, i)->name, '{');
        pick_write_pools(job->answer, session, i);
        fv_json_close(job->answer);
    }
    fv_json_close(job->answer);
}

static int score_all(Job *job)
{
    FvError error = {0};
    const Options *options = job->options;
    FvStatus status = has_devices(options) || options->resume
                          ? score_shards(job, &error)
                          : fv_score(job->opened.session, job->opened.source[0], job->opened.source[1],
                                     &job->opened.params, &error);
    progress_finish(job->style);
    if (job->gate_status != FV_OK)
        return job->gate_status;
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    int64_t frames = fv_session_frames(scored(job));
    int has_page = 0;
    if (complain_if(status, &error) && frames)
        warn("%" PRId64 " frame%s scored before that; %s", frames, frames == 1 ? " was" : "s were",
             count ? "the report has them and is marked partial" : "-o FILE saves them in a report");
    FvStatus shown = FV_OK;
    for (int i = 0; i < count && frames; i++) {
        FvError failure = {0};
        if (reports[i].format == FV_REPORT_HTML && !has_page++)
            shown = add_pictures(job, status == FV_OK);
        if (complain_if(fv_report_write(scored(job), reports[i].path, reports[i].format, &failure), &failure))
            return failure.status;
    }
    status = status != FV_OK ? status : shown;
    if (options->resume && status == FV_OK)
        resume_finish(job->plan, options->outputs.items[0]);
    /* A number stands for the whole clip: there is none of a part. */
    const bool numbers = options->print.count > 0, table = frames && !numbers && !reports_take_output(options);
    FvError failure = {0};
    FvStatus printed = FV_OK;
    if (job->answer && status == FV_OK)
        write_answer(job);
    else if (!job->answer && (table || (numbers && status == FV_OK)))
        printed = print_result(job, &failure);
    if (status != FV_OK || printed != FV_OK)
        return status != FV_OK ? status : printed;
    return gates_pass(&job->gates, scored(job), table) ? EXIT_OK : EXIT_GATE;
}

/* Everything is written, and the system ends a GPU driver faster than the driver ends itself. */
static void leave_gpu(const Job *job, int status)
{
    FvDeviceHandles handles;
    fv_session_device(job->opened.session, &handles);
    if (handles.kind && strcmp(handles.kind, "cpu"))
        process_leave(status);
}

static int score_one(const void *values, FvJson *answer)
{
    Job job = {.options = values, .gate_status = FV_OK, .answer = answer};
    job.style = answer ? PROGRESS_NONE : progress_style(job.options->progress);
    message_as_json(job.style == PROGRESS_JSON);
    int status = open_all(&job);
    if (status == FV_OK)
        status = score_all(&job);
    if (!answer && (status == EXIT_OK || status == EXIT_GATE))
        leave_gpu(&job, status);
    fv_session_close(&job.merged);
    fv_plan_close(&job.plan);
    scoring_close(&job.opened);
    gates_free(&job.gates);
    return status;
}

static const char *jobs; /* the file of --batch */

static int score_job(const void *values, FvJson *answer)
{
    const Options *options = values;
    if (options->batch != jobs)
        return complain(FV_ERROR_USAGE, "a job of --batch names --batch: leave it out");
    if (reports_take_output(options) || options->print.count)
        return complain(FV_ERROR_USAGE, "answers of --batch take standard output: leave out %s",
                        options->print.count ? "--print" : "-o - and --format without -o");
    return score_one(values, answer);
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    if (!options->batch)
        return score_one(values, NULL);
    jobs = options->batch;
    return batch_run(&command_score, options, jobs, score_job);
}

const Command command_score = {
    .name = "score",
    .summary = "score a video against its reference, or on its own",
    .synopsis = "REFERENCE DISTORTED [OPTION]...",
    .description =
        "Computes metrics of the distorted video, frame by frame, and prints a table with a verdict and the worst "
        "frames. Frames pair by index unless --align says otherwise. A metric that needs no reference scores one "
        "video alone.\n"
        "Scores are pooled over all frames: mean; harmonic_mean, n / sum(1 / (1 + x)) - 1, if no x is negative; min, "
        "max; stddev, of the "
        "population; median and the percentiles p1 to p99, interpolated between the nearest ranks. One value that is "
        "not a number makes the pooled value not a number.\n"
        "Reads Y4M, raw video (give its geometry) and, if built with libav, every container and codec that libav "
        "opens. The words of an option's name may be joined by - or by _.",
    .example = "fovea score reference.mov distorted.mp4\n"
               "fovea score reference.mov distorted.mp4 -o report.html -o report.json\n"
               "fovea score -r ref.y4m -d dis.y4m --metric psnr=enable_mse=true,psnr_hvs -o report.json\n"
               "fovea score -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 10 --fail-below psnr_hvs=35:p5\n"
               "ffmpeg -i dis.mkv -f yuv4mpegpipe - | fovea score -r ref.y4m -d - --json",
    .refusal = "name the two files: fovea score REFERENCE DISTORTED",
    OPTIONS_OF(FOR_SCORE),
    .run = run,
};
