/* fovea score: opens two videos and a session, scores, reports, and judges. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "command/batch.h"
#include "command/job.h"
#include "command/ladder.h"
#include "command/score_check.h"
#include "fovea/fovea.h"
#include "report/print.h"
#include "report/reports.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"
#include "table/pooled_score.h"
#include "table/table.h"

static void show(void *style, Job *job, const FvProgress *progress)
{
    progress_show(*(const ProgressStyle *)style, progress, &(ProgressMore){.about = job_expects(job)});
}

/*
 * Prints the table or the numbers of --print, through FvOutput, so that a pipe whose reader stops reading cannot
 * block the end of the run.
 */
static FvStatus print_result(const Job *job, FvError *error)
{
    FvOutput *output;
    FvStatus printed = FV_OK;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = "-", .cancel = job->opened.cancel}, error);
    if (!status) {
        const TableParams params = {.gates = &job->gates,
                                    .reports = job->options->outputs.count > 0,
                                    .details = job->options->details,
                                    .quiet = job->options->quiet && !job->options->details};
        if (job->options->print.count)
            printed = print_scores(fv_output_file(output), job->options, job_scored(job));
        else
            printed = table_print(fv_output_file(output), job_scored(job), &params);
        status = fv_output_close(&output, error);
    }
    return printed ? printed : report_error_if(status, error);
}

static void write_answer(FvJson *json, const FvSession *session)
{
    fv_json_int(json, "frames", fv_session_frames(session));
    fv_json_open(json, "scores", '{');
    for (int i = 0; i < fv_session_outputs(session); i++) {
        fv_json_open(json, fv_session_output(session, i)->name, '{');
        pick_write_pools(json, session, i);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static int score_all(Job *job, ProgressStyle style, FvJson *answer)
{
    FvError error = {0};
    const Options *options = job->options;
    FvStatus status = job_score(job, &error);
    progress_finish(style);
    if (job->gate_status != FV_OK)
        return job->gate_status;
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    int64_t frames = fv_session_frames(job_scored(job));
    if (report_error_if(status, &error) && frames)
        warn("%" PRId64 " frame%s scored before that; %s", frames, frames == 1 ? " was" : "s were",
             !count                                ? "add -o FILE and run again to keep them in a report"
             : fv_session_partial(job_scored(job)) ? "the report has them and is marked partial"
                                                   : "the report has them");
    FvStatus shown, written = job_report(job, status == FV_OK, &shown);
    if (written)
        return written;
    status = status != FV_OK ? status : shown;
    if (status == FV_OK)
        resume_finish(&job->shards);
    /* --print promises values of the whole clip, so a partial run prints none. */
    const bool numbers = options->print.count > 0, table = frames && !numbers && !reports_take_output(options);
    FvError failure = {0};
    FvStatus printed = FV_OK;
    if (answer && status == FV_OK)
        write_answer(answer, job_scored(job));
    else if (!answer && (table || (numbers && status == FV_OK)))
        printed = print_result(job, &failure);
    if (status != FV_OK || printed != FV_OK)
        return status != FV_OK ? status : printed;
    return gates_pass(&job->gates, job_scored(job), table) ? EXIT_OK : EXIT_GATE;
}

/* All output is written. Exit without closing the GPU driver: the operating system tears it down faster. */
static void leave_gpu(const Job *job, int status)
{
    FvDeviceHandles handles;
    const char *device = job->options->run.session.device; /* shards use it without the session */
    fv_session_device(job->opened.session, &handles);
    if ((handles.kind && strcmp(handles.kind, "cpu")) ||
        (job_in_shards(job->options) && strcmp(device ? device : "cpu", "cpu")))
        process_leave(status);
}

/*
 * Checked after failures too: standard output must never overwrite an input. FV_ERROR_USAGE: standard output is one
 * of its files. FV_ERROR_MEMORY: standard output is a regular file, and memory does not suffice to compare it.
 */
static FvStatus check_standard_output(const Job *job)
{
    FvError error;
    struct stat output;
    const char *const files[] = {job->options->reference, job->options->distorted};
    const FvOutputParams params = {.path = "-",
                                   .sources = (const FvSource *const[]){job->opened.source[0], job->opened.source[1]},
                                   .source_count = 2,
                                   .files = files,
                                   .file_count = 2,
                                   .session = job->opened.session};
    FvStatus status = fv_output_check(&params, &error);
    const bool regular = fstat(STDOUT_FILENO, &output) || S_ISREG(output.st_mode);
    return status == FV_ERROR_USAGE || (status == FV_ERROR_MEMORY && regular) ? status : FV_OK;
}

static int score_one(const Options *options, FvJson *answer, FvStatus *output)
{
    ProgressStyle style = answer ? PROGRESS_NONE : progress_style(options->progress, options->quiet);
    Job job = {.options = options, .log = message_log, .show = show, .opaque = &style};
    int status = job_check(options);
    if (status == FV_OK)
        status = job_open(&job);
    if (status == FV_OK)
        status = score_all(&job, style, answer);
    if (answer)
        *output = check_standard_output(&job);
    if (!answer && (status == EXIT_OK || status == EXIT_GATE))
        leave_gpu(&job, status);
    job_close(&job);
    return status;
}

static const char *jobs; /* path of --batch */

static int score_job(const void *values, FvJson *answer, FvStatus *output)
{
    const Options *options = values;
    if (options->check)
        return report_error(FV_ERROR_USAGE, "a job of --batch names --check: call fovea once for each report");
    if (options->batch != jobs)
        return report_error(FV_ERROR_USAGE, "a job of --batch names --batch: leave it out");
    if (reports_take_output(options) || options->print.count)
        return report_error(FV_ERROR_USAGE, "answers of --batch take standard output: leave out %s",
                            options->print.count ? "--print" : "-o - and --format without -o");
    if (options->encodes.count > 1)
        return report_error(FV_ERROR_USAGE, "a job of --batch scores one pair: write a line for each encode");
    Options one = *options;
    one.distorted = options->encodes.count ? options->encodes.items[0] : NULL;
    const bool pipes =
        (one.distorted && !strcmp(one.distorted, "-")) || (one.reference && !strcmp(one.reference, "-"));
    if (pipes && !strcmp(jobs, "-"))
        return report_error(FV_ERROR_USAGE, "the jobs come from standard input, so no video does: name a file");
    if (!one.distorted)
        return report_error(FV_FAIL_MISSING_VIDEO, "the video is missing: [\"REFERENCE\", \"DISTORTED\"]");
    return score_one(&one, answer, output);
}

static const char *job_input(const void *values, int n)
{
    const Options *options = values;
    const char *files[4] = {NULL};
    int count = 0;
    if (options->reference)
        files[count++] = options->reference;
    if (options->encodes.count)
        files[count++] = options->encodes.items[0];
    if (options->run.roi)
        files[count++] = options->run.roi;
    return n < count ? files[n] : NULL;
}

static const char *job_output(const void *values, int n)
{
    const Options *options = values;
    return n < options->outputs.count ? options->outputs.items[n] : NULL;
}

/* Replaces two folders, given instead of two videos, by the lists of their files. */
static FvStatus pair_folders(const Options *options, ArgList *references, ArgList *encodes)
{
    const bool reference = folders_is_one(options->reference);
    const char *folder = reference ? options->reference : NULL;
    for (int i = 0; i < encodes->count && !folder; i++)
        folder = folders_is_one(encodes->items[i]) ? encodes->items[i] : NULL;
    if (!folder)
        return FV_OK;
    if (!reference || encodes->count > 1 || !folders_is_one(encodes->items[0]))
        return report_error(FV_ERROR_INPUT, "%s is a directory: give two, whose files pair by name, or two files",
                            folder);
    ArgList files = {0};
    FvStatus status = folders_pair(references, &files, options->reference, encodes->items[0]);
    encodes_free(encodes);
    *encodes = files;
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    if (options->batch) {
        jobs = options->batch;
        if (options->outputs.count)
            return report_error(FV_ERROR_USAGE, "each job of --batch would replace %s: write -o into the jobs",
                                options->outputs.items[0]);
        return batch_run(&command_score, options, jobs, &(BatchJobs){score_job, job_input, job_output});
    }
    ArgList encodes = {0}, references = {0};
    const bool own = options->check && !options->encodes.count; /* --check without videos: the report names them */
    int status = own ? FV_OK : encodes_list(&encodes, &options->encodes);
    if (status == FV_OK && options->check) {
        status = score_check(options, &encodes);
        encodes_free(&encodes);
        return status;
    }
    if (status == FV_OK)
        status = pair_folders(options, &references, &encodes);
    if (status == FV_OK && (encodes.count > 1 || references.count))
        status = ladder_score(options, &references, &encodes);
    else if (status == FV_OK) {
        Options one = *options;
        one.distorted = encodes.items[0];
        status = score_one(&one, NULL, NULL);
    }
    encodes_free(&encodes);
    encodes_free(&references);
    return status;
}

const Command command_score = {
    .name = "score",
    .summary = "score a video against its reference, or on its own",
    .synopsis = "REFERENCE DISTORTED... [OPTION]...",
    .description =
        "Computes metrics of the distorted video, frame by frame, and prints a verdict in a sentence, a table and "
        "the segments that look bad. Frames pair by index unless --align says otherwise. A metric that needs no "
        "reference scores one video alone. Two folders in place of the two videos pair the files in them by name.\n"
        "Scores are pooled over all frames: mean, harmonic_mean, min, max, stddev, median and the percentiles p1 to "
        "p99. One value that is not a number makes the pooled value not a number.\n"
        "Reads Y4M, raw video (give its geometry) and, if built with libav, every container and codec that libav "
        "opens. In the names of options, - and _ are the same.",
    .example = "fovea score reference.mov distorted.mp4\n"
               "fovea score reference.mov distorted.mp4 -o report.html -o report.json\n"
               "fovea score -r ref.y4m -d dis.y4m --metric psnr=enable_mse=true,psnr_hvs -o report.json\n"
               "fovea score -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 10 --fail-below psnr_hvs=35:p5\n"
               "ffmpeg -i dis.mkv -f yuv4mpegpipe - | fovea score -r ref.y4m -d - --json\n"
               "fovea score --check report.json reference.mov distorted.mp4",
    .refusal = "name the two files: fovea score REFERENCE DISTORTED",
    OPTIONS_OF(FOR_SCORE),
    .run = run,
};
