/* fovea score: opens two videos and a session, scores, reports, and judges. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "result/exhibit.h"
#include "fovea/fovea.h"
#include "result/gate.h"
#include "cli/message.h"
#include "image/picture.h"
#include "cli/progress.h"
#include "result/reports.h"
#include "scoring/resume.h"
#include "scoring/scoring.h"
#include "result/table.h"

typedef struct Score {
    Scoring scoring;
    const char *output, *format;
    bool resume;
    ArgList fail_below, fail_above;
    const char *device, *isa, *progress;
    int64_t threads, in_flight;
    const char *intervals;
    bool scenes, pace;
} Score;

#define AT(field) offsetof(Score, field)

static const ArgOption options[] = {
    SCORING_ROWS,
    REPORT_ROWS(AT(output), AT(format), AT(fail_below), AT(fail_above), AT(intervals)),
    {.name = "scenes", .kind = ARG_FLAG, .offset = AT(scenes), .help = "also pool the scores of every scene"},
    {.name = "resume",
     .kind = ARG_FLAG,
     .offset = AT(resume),
     .help =
         "keep what is scored in FILE.shards until the report FILE is written, and go on from there when the same "
         "command is given again"},
    {.name = "pace",
     .kind = ARG_FLAG,
     .offset = AT(pace),
     .help = "the report says how fast reading, decoding and scoring went and what held them up, so that reports of "
             "equal "
             "runs differ"},
    {ROW_PROGRESS(AT(progress))},
    {ROW_QUIET(AT(progress))},
    {.section = "Processors", ROW_DEVICE(AT(device))},
    {ROW_ISA(AT(isa))},
    {ROW_THREADS(AT(threads), 1024)},
    {ROW_IN_FLIGHT(AT(in_flight))},
};

/* Everything that lives during one scoring. */
typedef struct Job {
    const Score *score;
    Opened opened;
    FvSession *merged; /* what was scored in shards; NULL: the opened session has the scores */
    ProgressStyle style;
    Gates gates;
    bool gates_checked;
    FvStatus gate_status;
    int64_t interval;
} Job;

static FvSession *scored(const Job *job)
{
    return job->merged ? job->merged : job->opened.session;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Job *job = opaque;
    if (!job->gates_checked)
        job->gate_status = gates_check(&job->gates, job->opened.session);
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

static void on_log(void *opaque, FvLogLevel level, const char *message)
{
    (void)opaque;
    if (level != FV_LOG_INFO)
        warn("%s", message);
}

/* Before hours are spent on what it is to hold. */
static FvStatus check_output(const Job *job)
{
    FvError error = {0};
    FvOutputParams params = {.path = report_path(job->score->output, job->score->format),
                             .sources = (const FvSource *const[]){job->opened.source[0], job->opened.source[1]},
                             .source_count = 2,
                             .session = job->opened.session};
    FvStatus status = params.path ? fv_output_check(&params, &error) : FV_OK;
    return status ? complain(status, "%s", error.message) : FV_OK;
}

/* Several devices share the frames. */
static bool has_devices(const Score *score)
{
    return score->device && (strchr(score->device, ',') || !strcmp(score->device, "all"));
}

static FvSessionParams session_params(const Job *job)
{
    const Score *score = job->score;
    return (FvSessionParams){.device = score->device,
                             .isa = score->isa,
                             .threads = (int)score->threads,
                             .in_flight = (int)score->in_flight,
                             .log = on_log,
                             .cancel = job->opened.cancel,
                             .interval = job->interval,
                             .scenes = score->scenes};
}

static FvStatus check_pace(const Score *score)
{
    const FvReportFormat format = report_format(score->output, score->format);
    if (!score->pace)
        return FV_OK;
    if (score->resume || has_devices(score))
        return complain(FV_ERROR_USAGE, "--pace is that of one process with one device: leave out %s",
                        score->resume ? "--resume" : "--pace, or name one device");
    if (report_path(score->output, score->format) &&
        (format == FV_REPORT_JSON || format == FV_REPORT_NDJSON || format == FV_REPORT_HTML))
        return FV_OK;
    return complain(FV_ERROR_USAGE,
                    "--pace is part of reports in JSON, NDJSON and HTML: write one with -o FILE.json");
}

static FvStatus open_all(Job *job)
{
    const Score *score = job->score;
    if (!score->scoring.distorted)
        return complain(FV_ERROR_USAGE, "which video? fovea score -r REFERENCE -d DISTORTED");
    FvStatus status = report_check_ending(score->output, score->format);
    if (status == FV_OK)
        status = report_interval(score->intervals, &job->interval);
    if (status == FV_OK)
        status = gates_parse(&job->gates, &score->fail_below, &score->fail_above);
    if (status == FV_OK && score->resume && !score->output)
        status = complain(FV_ERROR_USAGE, "--resume needs -o FILE: what is scored so far is kept in FILE.shards");
    if (status == FV_OK)
        status = check_pace(score);
    if (status != FV_OK)
        return status;
    FvSessionParams params = session_params(job);
    if (has_devices(score) || score->resume) /* this session never scores */
        params.device = "cpu";
    status = scoring_open(&job->opened, &score->scoring, &params);
    job->opened.params.progress = on_progress;
    job->opened.params.opaque = job;
    job->opened.params.pace = score->pace;
    if (status == FV_OK)
        status = check_output(job);
    return status == FV_OK ? scoring_align(&job->opened, &score->scoring) : status;
}

/* Whoever reads it may stop reading. */
static FvStatus print_table(const Job *job, FvError *error)
{
    FvOutput *output;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = "-", .cancel = job->opened.cancel}, error);
    if (!status) {
        const FvFormat *format = &fv_source_info(job->opened.source[1])->format;
        const double start = (double)job->opened.params.start / 1e6;
        const double first = format->rate_den ? ceil(start * format->rate_num / format->rate_den - 1e-6) : 0;
        const TableVideo video = {*format, job->score->scoring.skip_distorted + (int64_t)first};
        table_print(fv_output_file(output), scored(job), &video);
        status = fv_output_close(&output, error);
    }
    return status ? complain(status, "%s", error->message) : FV_OK;
}

/* On one machine, by the same means as on many. */
static FvStatus score_shards(Job *job, FvError *error)
{
    FvPlanRunParams params = {.session = session_params(job), .progress = on_shard_progress, .opaque = job};
    FvStatus status =
        resume_score(&job->merged, &job->opened, &params, job->score->resume ? job->score->output : NULL, error);
    if (job->merged && job->gate_status == FV_OK)
        job->gate_status = gates_check(&job->gates, job->merged);
    return status;
}

/* For the page, which is good without them, too. Only running out of memory is a failure. */
static FvStatus add_pictures(const Job *job)
{
    const Opened *opened = &job->opened;
    ExhibitParams params = {.params = &opened->params, .threads = (int)job->score->threads};
    FvError error = {0};
    if (fv_cancel_requested(opened->cancel) || !picture_has_png())
        return FV_OK;
    params.threads = params.threads > 256 ? 256 : params.threads;
    for (int side = fv_session_needs_reference(opened->session) ? 0 : 1; side < 2; side++)
        params.file[side] = opened->source_params[side];
    if (!exhibit_add(scored(job), &params, &error))
        return FV_OK;
    warn("the page lacks pictures: %s", error.message);
    return error.status == FV_ERROR_MEMORY ? FV_ERROR_MEMORY : FV_OK;
}

static int score_all(Job *job)
{
    FvError error = {0};
    const Score *score = job->score;
    FvStatus status = has_devices(score) || score->resume
                          ? score_shards(job, &error)
                          : fv_score(job->opened.session, job->opened.source[0], job->opened.source[1],
                                     &job->opened.params, &error);
    progress_finish(job->style);
    if (job->gate_status != FV_OK)
        return job->gate_status;
    const char *path = report_path(score->output, score->format);
    int64_t frames = fv_session_frames(scored(job));
    if (status != FV_OK)
        complain(status, "%s", error.message);
    if (status != FV_OK && frames)
        warn("%" PRId64 " frame%s scored before that: %s", frames, frames == 1 ? " was" : "s were",
             path ? "the report holds them and says that it is partial" : "-o FILE keeps them in a report");
    if (path && frames) {
        FvError failure = {0};
        const FvReportFormat format = report_format(score->output, score->format);
        FvStatus shown = format == FV_REPORT_HTML ? add_pictures(job) : FV_OK;
        if (fv_report_write(scored(job), path, format, &failure) != FV_OK)
            return complain(failure.status, "%s", failure.message);
        status = status != FV_OK ? status : shown;
    }
    if (status != FV_OK)
        return status;
    if (score->resume)
        resume_finish(score->output);
    if (!path || strcmp(path, "-"))
        status = print_table(job, &error);
    return status != FV_OK ? (int)status : gates_pass(&job->gates, scored(job)) ? EXIT_OK : EXIT_GATE;
}

/* All is written, and the system takes a GPU's driver down in less time than the driver takes itself down. */
static void leave_gpu(const Job *job, int status)
{
    FvDeviceHandles handles;
    fv_session_device(job->opened.session, &handles);
    if (handles.kind && strcmp(handles.kind, "cpu"))
        command_leave(status);
}

static int run(const void *values, const ArgList *words)
{
    (void)words;
    Job job = {.score = values, .gate_status = FV_OK};
    job.style = progress_style(job.score->progress);
    message_as_json(job.style == PROGRESS_JSON);
    int status = open_all(&job);
    if (status == FV_OK)
        status = score_all(&job);
    if (status == EXIT_OK || status == EXIT_GATE)
        leave_gpu(&job, status);
    fv_session_close(&job.merged);
    scoring_close(&job.opened);
    gates_free(&job.gates);
    return status;
}

const Command command_score = {
    .name = "score",
    .summary = "score a video against its reference, or on its own",
    .synopsis = "-r REFERENCE -d DISTORTED [OPTION]...",
    .description =
        "Computes metrics of the distorted video, frame by frame, and prints a table with the worst frames. Frames "
        "pair by index.\n"
        "Scores are pooled over all frames: mean; harmonic_mean, n / sum(1 / (1 + x)) - 1; min, max; stddev, of the "
        "population; median and the percentiles p1 to p25, interpolated between the nearest ranks. A value that is "
        "not a number makes the pooled one so.\n"
        "Reads Y4M, raw planar video (its geometry must be given) and, if built with libav, every container and "
        "codec that libav opens. The words of an option's name may be joined by - or by _.",
    .example = "fovea score -r reference.mov -d distorted.mp4\n"
               "fovea score -r ref.y4m -d dis.y4m --metric psnr=enable_mse=true,psnr_hvs -o report.json\n"
               "fovea score -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 10 --fail-below psnr_hvs=35:p5\n"
               "ffmpeg -i dis.mkv -f yuv4mpegpipe - | fovea score -r ref.y4m -d - --json",
    .refusal = "name the two files: fovea score -r REFERENCE -d DISTORTED",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Score),
    .run = run,
};
