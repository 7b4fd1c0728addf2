/* fovea score: opens two videos and a session, scores, reports, and judges. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    const char *device =
        job->options->run.session.device; /* shards are scored on this device, but not by this session */
    fv_session_device(job->opened.session, &handles);
    if ((handles.kind && strcmp(handles.kind, "cpu")) ||
        (job_in_shards(job->options) && strcmp(device ? device : "cpu", "cpu")) || *job->several)
        process_leave(status);
}

static int score_one(const Options *options, FvJson *answer, FvStatus *output)
{
    ProgressStyle style = answer ? PROGRESS_NONE : progress_style(options->progress, options->quiet);
    Job job = {.options = options, .log = message_log, .show = job_show, .opaque = &style};
    int status = job_check(options);
    if (status == FV_OK)
        status = job_open(&job);
    if (status == FV_OK)
        status = score_all(&job, style, answer);
    if (answer)
        *output = job_check_output(&job);
    if (!answer && (status == EXIT_OK || status == EXIT_GATE))
        leave_gpu(&job, status);
    job_close(&job);
    return status;
}

static int score_job(const Options *options, FvJson *answer, FvStatus *output)
{
    if (options->check)
        return report_error(FV_ERROR_USAGE, "a job of --batch names --check: call fovea once for each report");
    return score_one(options, answer, output);
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
        return report_error(FV_ERROR_INPUT,
                            "%s is a directory; give two directories, whose files pair by name, or two files",
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
    if (options->batch)
        return batch_run(&command_score, options, score_job);
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
        "reference scores one video alone. Two folders in place of the two videos pair the files in them by name. "
        "'fovea check' looks for "
        "faults of a single video, such as black or frozen parts.\n"
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
