#include "command/ladder_pair.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "clock.h"
#include "command/ladder_outputs.h"
#include "scoring/videos.h"
#include "table/table.h"
#include "text.h"

/*
 * Adds up the frames of all pairs, exactly or by estimates. A pair that is not open yet is assumed to be as long as
 * the longest known pair. -1: no pair's length is known.
 */
static int64_t add_totals(const Run *run, bool exact)
{
    int64_t longest = -1, sum = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < run->encodes->count; i++) {
            const Pair *pair = &run->pairs[i];
            const int64_t own = pair->total >= 0 || exact ? pair->total : pair->about;
            longest = own > longest ? own : longest;
            sum += !turn ? 0 : own < 0 ? longest : own;
        }
    return longest < 0 ? -1 : sum;
}

/* Shows the progress of all pairs together. */
static void show(void *opaque, Job *job, const FvProgress *progress)
{
    Pair *pair = opaque;
    const Run *run = pair->run;
    FvProgress all = {.seconds = fv_seconds() - run->started};
    ProgressMore more = {.encodes = run->encodes->count};
    message_lock();
    pair->frames = progress->frames;
    pair->total = progress->total;
    pair->about = scoring_expects(&job->opened);
    for (int i = 0; i < run->encodes->count; i++) {
        all.frames += run->pairs[i].frames;
        more.done += run->pairs[i].ended;
    }
    all.total = add_totals(run, true);
    more.about = add_totals(run, false);
    if (run->style == PROGRESS_BAR) /* JSON has `timing` of one pair only */
        all.timing.limited_by = progress->timing.limited_by;
    progress_show(run->style, &all, &more);
    message_unlock();
}

static void begin_pair(const Pair *pair)
{
    message_forget_error();
    message_about(pair->options.distorted);
}

/* Ends a pair. Its first error appears in the table and in the files of all pairs. */
static void end(Pair *pair, FvStatus status)
{
    EncodeResult *result = pair->result;
    result->status = status ? (int)status : result->failed ? EXIT_GATE : EXIT_OK;
    if (status && !*result->error && message_first_error())
        snprintf(result->error, sizeof result->error, "%s", message_first_error());
    message_about(NULL);
}

/* Checks that no output of the pair is a file that was read for the scores. */
static FvStatus check_outputs(const Pair *pair)
{
    FvError error = {0};
    FvOutputParams params = {.path = pair->options.outputs.count ? pair->options.outputs.items[0] : NULL,
                             .session = job_scored(&pair->job)};
    FvStatus status = outputs_check(&params, &error);
    for (int n = 0; (params.path = ladder_file(pair->run->options, n)) && !status; n++)
        status = outputs_check(&params, &error);
    return report_error_if(status, &error);
}

void pair_open(Pair *pair, int threads, FvSource *shared)
{
    pair->options.run.session.threads = threads;
    pair->job = (Job){.options = &pair->options, .show = show, .opaque = pair, .opened.shared = shared};
    begin_pair(pair);
    pair->status = job_open(&pair->job);
    if (!pair->status)
        pair->status = check_outputs(pair);
    if (pair->status)
        pair->total = 0;
    pair->ended = pair->status;
    end(pair, pair->status);
}

static FvStatus take_details(Pair *pair)
{
    const Job *job = &pair->job;
    size_t size;
    if (!job->options->details)
        return FV_OK;
    FILE *file = fv_text_open(&pair->result->details, &size);
    const TableParams params = {.gates = &job->gates, .reports = job->options->outputs.count > 0, .details = true};
    const FvStatus status = file ? table_print(file, job_scored(job), &params) : FV_OK;
    if (!fv_text_close(file, &pair->result->details))
        return report_error(FV_ERROR_MEMORY, "out of memory for the details");
    return status;
}

void pair_end(Pair *pair, FvStatus status, const FvError *error)
{
    Job *job = &pair->job;
    FvStatus shown;
    begin_pair(pair);
    status = job->gate_status ? job->gate_status : report_error_if(status, error);
    if (fv_session_frames(job_scored(job)) && !job->gate_status) {
        const FvStatus written = job_report(job, !status, &shown);
        const FvStatus taken = ladder_take(&pair->run->ladder, pair->result, job_scored(job), &job->gates);
        const FvStatus detailed = take_details(pair);
        const FvStatus all[] = {written, status, shown, taken, detailed};
        status = FV_OK;
        for (int i = 0; i < 5 && !status; i++)
            status = all[i];
    }
    end(pair, status);
    pair->ended = true;
    if (!status) {
        pair->shards = job->shards;
        job->shards = (Shards){0};
    }
}

/* Names the videos of the pair by the paths in its plan. */
static void take_paths(Pair *pair)
{
    Ladder *ladder = &pair->run->ladder;
    FvSourceInfo info;
    for (int side = 0; side < 2; side++)
        if (fv_session_input(pair->job.merged, (FvSide)side, &info))
            pair->path[side] = strdup(info.path);
    if (pair->path[FV_DISTORTED])
        pair->result->path = pair->path[FV_DISTORTED];
    if (!ladder->reference)
        ladder->reference = pair->path[FV_REFERENCE];
}

FvStatus pair_merge(Pair *pair)
{
    Job *job = &pair->job;
    FvError error = {0};
    job->options = &pair->options;
    begin_pair(pair);
    FvStatus status = gates_parse(&job->gates, job->options);
    if (!status)
        status = pair->run->merger(pair->run->opaque, (int)(pair - pair->run->pairs), &job->merged, &error);
    if (job->merged) {
        take_paths(pair);
        job->gate_status = job_check_scores(job, job->merged);
        job->gate_status = job->gate_status ? job->gate_status : check_outputs(pair);
    }
    if (status && !error.status)
        end(pair, status);
    else
        pair_end(pair, status, &error);
    status = job->gate_status;
    job_close(job);
    return status;
}
