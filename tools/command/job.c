#include "command/job.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/progress.h"
#include "page/worst_pictures.h"
#include "report/print.h"
#include "report/reports.h"
#include "scoring/several.h"
#include "scoring/videos.h"

FvSession *job_scored(const Job *job)
{
    return job->merged ? job->merged : job->opened.session;
}

FvStatus job_check_scores(const Job *job, FvSession *session)
{
    FvStatus status = gates_check(&job->gates, session);
    return status == FV_OK ? print_check_scores(job->options, session) : status;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Job *job = opaque;
    if (progress->frames && !job->gates_checked) { /* before the first frame, the session has no scores */
        job->gate_status = job_check_scores(job, job->opened.session);
        job->gates_checked = true;
    }
    job->show(job->opaque, job, progress);
    return job->gate_status == FV_OK;
}

/* Checks that every output can be written, before hours are spent on scoring. */
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
                                       .files = (const char *const[]){job->options->batch, job->options->profile},
                                       .file_count = 2,
                                       .session = job->opened.session};
        status = outputs_check(&params, &error);
    }
    return report_error_if(status, &error);
}

static bool has_devices(const Options *options)
{
    const char *device = options->run.session.device;
    return device && (strchr(device, ',') || !strcmp(device, "all"));
}

void job_show(void *style, Job *job, const FvProgress *progress)
{
    progress_show(*(const ProgressStyle *)style, progress, &(ProgressMore){.about = scoring_expects(&job->opened)});
}

bool job_in_shards(const Options *options)
{
    return options->run.resume || has_devices(options);
}

static FvSessionParams session_params(const Job *job)
{
    FvSessionParams params = job->options->run.session;
    params.log = job->log;
    params.cancel = job->opened.cancel;
    return params;
}

static bool on_shard_progress(void *opaque, const FvProgress *progress)
{
    Job *job = opaque;
    job->show(job->opaque, job, progress);
    return true;
}

/* Checks the scores that gates and --print name by those of one frame, before the shards take hours. */
static FvStatus check_first(const Job *job)
{
    Opened opened = {.cancel = job->opened.cancel};
    FvSessionParams params = session_params(job);
    FvError error;
    if (!job->gates.count && !job->options->print.count)
        return FV_OK;
    params.device = "cpu";
    params.log = NULL;
    FvStatus status = scoring_open(&opened, job->options, &params);
    opened.run.score.frames = 1;
    opened.run.score.strict = false;
    if (!status && !fv_score(opened.session, opened.source[0], opened.source[1], &opened.run.score, &error))
        status = job_check_scores(job, opened.session);
    scoring_close(&opened);
    return status;
}

/* Scores the planned shards on one machine, by the steps that several machines would take. */
static FvStatus score_shards(Job *job, const char *device, FvError *error)
{
    FvPlanRunParams params = {.session = session_params(job), .progress = on_shard_progress, .opaque = job};
    params.session.device = device;
    job->gate_status = check_first(job);
    if (job->gate_status)
        return job->gate_status;
    FvStatus status = resume_score(&job->merged, &job->shards, &params, error);
    early_devices_join(&job->early); /* closing takes long on a GPU, and a command leaves without it */
    if (job->merged)
        job->gate_status = job_check_scores(job, job->merged);
    return status;
}

/*
 * Divides the frames of a long run among several GPUs. Returns false if one device should score them: the run is
 * short or cannot be planned, or a GPU failed.
 */
static bool divide(Job *job, FvStatus *status, FvError *error)
{
    if (job->options->run.score.timing || !several_find(job->several, sizeof job->several, &job->opened))
        return false;
    early_devices_open(&job->early, job->several);
    const bool planned = !resume_plan(&job->shards, &job->opened, job->several, error);
    if (planned) {
        *status = score_shards(job, job->several, error);
        if (*status != FV_ERROR_DEVICE || job->gate_status)
            return true;
        warn("%s; one device scores everything again", error->message);
        fv_session_close(&job->merged);
    }
    early_devices_close(&job->early);
    resume_close(&job->shards);
    *job->several = '\0';
    return false;
}

FvStatus job_score(Job *job, FvError *error)
{
    const Opened *opened = &job->opened;
    const Options *options = job->options;
    FvStatus status;
    if (job_in_shards(options)) {
        job->shards.output = options->run.resume ? options->outputs.items[0] : NULL;
        status = resume_plan(&job->shards, opened, options->run.session.device, error);
        return status ? status : score_shards(job, options->run.session.device, error);
    }
    if (divide(job, &status, error))
        return status;
    return fv_score(opened->session, opened->source[0], opened->source[1], &opened->run.score, error);
}

static FvStatus check_timing(const Options *options)
{
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    if (!options->run.score.timing)
        return FV_OK;
    for (int i = 0; i < count; i++)
        if (reports[i].format != FV_REPORT_CSV && reports[i].format != FV_REPORT_EVENTS && !reports[i].junit)
            return FV_OK;
    return report_error(FV_ERROR_USAGE,
                        "--timing is part of reports in JSON, NDJSON and HTML: write one with -o FILE.json");
}

FvStatus job_check(const Options *options)
{
    Gates gates = {.count = 0};
    FvStatus status = reports_check(options);
    if (status == FV_OK)
        status = gates_parse(&gates, options);
    gates_free(&gates);
    if (status == FV_OK)
        status = print_check(options);
    if (status == FV_OK && options->run.resume && !options->outputs.count)
        status = report_error(FV_ERROR_USAGE, "--resume needs -o FILE: finished parts are kept in FILE.shards");
    if (status == FV_OK)
        status = check_timing(options);
    return status;
}

FvStatus job_open(Job *job)
{
    const Options *options = job->options;
    FvStatus status = gates_parse(&job->gates, options);
    if (status != FV_OK)
        return status;
    FvSessionParams params = session_params(job);
    if (has_devices(options))
        early_devices_open(&job->early, options->run.session.device);
    if (job_in_shards(options)) /* the shards score, not this session */
        params.device = "cpu";
    status = scoring_open(&job->opened, options, &params);
    job->opened.run.score.progress = on_progress;
    job->opened.run.score.opaque = job;
    if (status == FV_OK)
        status = check_outputs(job);
    return status == FV_OK ? scoring_align(&job->opened, options) : status;
}

/*
 * Adds the page's pictures. Any failure only leaves them out, except a lack of memory, and a stop request after the
 * last frame was scored.
 */
static FvStatus add_pictures(const Job *job, bool whole)
{
    const Opened *opened = &job->opened;
    ExhibitParams params = {.params = &opened->run.score, .threads = opened->run.source[1].threads};
    FvError error = {0};
    if (!opened->session)
        return FV_OK;
    for (int side = fv_session_needs_reference(opened->session) ? 0 : 1; side < 2; side++)
        params.file[side] = opened->run.source[side];
    if (!fv_cancel_requested(opened->cancel) && !exhibit_add(job_scored(job), &params, &error))
        return FV_OK;
    if (fv_cancel_requested(opened->cancel))
        return whole ? report_error(FV_FAIL_STOPPED, "stopped on request: the report has all scores, and no pictures")
                     : FV_OK;
    warn("the report has no pictures: %s", error.message);
    return error.status == FV_ERROR_MEMORY ? FV_ERROR_MEMORY : FV_OK;
}

FvStatus job_report(const Job *job, bool whole, FvStatus *shown)
{
    Report reports[REPORTS];
    const int count = reports_list(job->options, reports);
    int has_page = 0;
    *shown = FV_OK;
    for (int i = 0; i < count && fv_session_frames(job_scored(job)); i++) {
        FvError failure = {0};
        if (reports[i].format == FV_REPORT_HTML && !has_page++)
            *shown = add_pictures(job, whole);
        if (report_error_if(reports_write(job->options, &reports[i], job_scored(job), &job->gates, &failure),
                            &failure))
            return failure.status;
    }
    return FV_OK;
}

FvStatus job_check_output(const Job *job)
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

void job_close(Job *job)
{
    fv_session_close(&job->merged);
    early_devices_close(&job->early);
    resume_close(&job->shards);
    scoring_close(&job->opened);
    gates_free(&job->gates);
}
