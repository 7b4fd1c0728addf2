/* fovea run: computes shards of a plan. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/ranges.h"
#include "cli/rows.h"
#include "cli/stop.h"

typedef struct Run {
    const char *plan, *shard, *output;
    bool ignore_modified;
    const char *device, *isa, *progress;
    int64_t threads, in_flight;
} Run;

#define AT(field) offsetof(Run, field)

static const ArgOption options[] = {
    {.section = "Shards", ROW_PLAN(AT(plan))},
    {.name = "shard",
     .kind = ARG_TEXT,
     .offset = AT(shard),
     .value = "LIST|all",
     .help = "which shards, from 0, as in 7 or 0,4-6; without it, the number that SLURM_ARRAY_TASK_ID, "
             "JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX has"},
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .offset = AT(output),
     .value = "FOLDER",
     .offer = OFFER_FILES,
     .help = "where the shards are written, and where those that are whole are not computed again (shards)"},
    {.name = "ignore-modified",
     .kind = ARG_FLAG,
     .offset = AT(ignore_modified),
     .help = "the videos are copies: their size and content count, not when they were modified"},
    {ROW_PROGRESS(AT(progress))},
    {ROW_QUIET(AT(progress))},
    {.section = "Processors", ROW_DEVICE(AT(device))},
    {ROW_ISA(AT(isa))},
    {ROW_THREADS(AT(threads), 1024)},
    {ROW_IN_FLIGHT(AT(in_flight))},
};

/* How engines tell a task its number. */
static const char *const variables[] = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"};
#define VARIABLES (sizeof variables / sizeof *variables)

static void on_log(void *opaque, FvLogLevel level, const char *message)
{
    (void)opaque;
    if (level != FV_LOG_INFO)
        warn("%s", message);
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    progress_show(*(const ProgressStyle *)opaque, progress);
    return true;
}

static FvStatus bad_shard(const char *name, const char *text)
{
    return complain(FV_ERROR_USAGE, "%s takes numbers from 0, as in 7 or 0,4-6, not '%s'", name, text);
}

/* From --shard, or from the one variable that is set. */
static FvStatus choose(const Run *run, Ranges *ranges)
{
    const char *text = run->shard, *name = "--shard";
    for (size_t i = 0; i < VARIABLES && !run->shard; i++) {
        const char *value = getenv(variables[i]);
        if (!value)
            continue;
        if (text)
            return complain(FV_ERROR_USAGE, "%s and %s are both set: which of them counts? --shard says it", name,
                            variables[i]);
        text = value;
        name = variables[i];
    }
    if (!text)
        return complain(FV_ERROR_USAGE,
                        "which shard? --shard N, --shard all, or one of the variables SLURM_ARRAY_TASK_ID, "
                        "JOB_COMPLETION_INDEX and AWS_BATCH_JOB_ARRAY_INDEX");
    if (run->shard && !strcmp(text, "all"))
        return FV_OK;
    FvStatus status = *text ? ranges_add(ranges, text) : FV_ERROR_USAGE;
    if (status == FV_ERROR_USAGE)
        return bad_shard(name, text);
    return status ? complain(status, "out of memory while reading %s", name) : FV_OK;
}

/* Ranges as they were given, one after the other. */
static FvStatus run_ranges(const FvPlan *plan, const Ranges *ranges, FvPlanRunParams *params, FvError *error)
{
    FvStatus status = FV_OK;
    if (!ranges->count)
        return fv_plan_run(plan, params, error);
    for (int i = 0; i < ranges->count && !status; i++) {
        const Range *range = &ranges->items[i];
        if (range->last >= fv_plan_shards(plan))
            return complain(FV_ERROR_USAGE, "there is no shard %" PRId64 ": the plan has %d, from 0 to %d",
                            range->last, fv_plan_shards(plan), fv_plan_shards(plan) - 1);
        params->first = (int)range->first;
        params->count = (int)(range->last - range->first + 1);
        status = fv_plan_run(plan, params, error);
    }
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Run *given = values;
    FvError error = {0};
    FvPlan *plan = NULL;
    Ranges ranges = {.count = 0};
    (void)words;
    ProgressStyle style = progress_style(given->progress);
    message_as_json(style == PROGRESS_JSON);
    FvStatus status = choose(given, &ranges);
    const FvCancel *cancel = status == FV_OK ? stop_on_signals() : NULL;
    if (status == FV_OK && !cancel)
        status = FV_ERROR_MEMORY;
    if (status == FV_OK && fv_plan_read(&plan, given->plan ? given->plan : "plan.json", &error))
        status = complain(error.status, "%s", error.message);
    if (status == FV_OK) {
        FvPlanRunParams params = {.session = {.device = given->device,
                                              .isa = given->isa,
                                              .threads = (int)given->threads,
                                              .in_flight = (int)given->in_flight,
                                              .log = on_log,
                                              .cancel = cancel},
                                  .folder = given->output ? given->output : "shards",
                                  .ignore_modified = given->ignore_modified,
                                  .progress = on_progress,
                                  .opaque = &style};
        error.status = FV_OK;
        status = run_ranges(plan, &ranges, &params, &error);
        progress_finish(style);
        if (error.status)
            complain(error.status, "%s", error.message);
    }
    fv_plan_close(&plan);
    ranges_free(&ranges);
    return status;
}

const Command command_run_shards = {
    .name = "run",
    .summary = "compute shards of a plan",
    .synopsis = "[--plan FILE] [--shard LIST] [-o FOLDER] [OPTION]...",
    .description =
        "Computes the shards of a plan that are named, or the one that belongs to this task of a Slurm array, a "
        "Kubernetes Indexed Job or an AWS Batch array, and writes FOLDER/000007.shard and FOLDER/000007.run.json for "
        "shard 7.\n"
        "A shard that is whole already is not computed again, so the same command may be given any number of times, "
        "also on several machines at once. Videos, options or a numerics version that are not those of the plan are "
        "refused.",
    .example = "fovea run --plan plan.json --shard 7 -o shards\n"
               "sbatch --array=0-63 --wrap 'fovea run --plan plan.json -o shards'\n"
               "seq 0 63 | parallel -j 4 'fovea run --shard {} --device cuda:$(({%} - 1))'",
    .refusal = "which shards? fovea run --plan plan.json --shard 7",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Run),
    .run = run,
};
