/* fovea run: computes shards of a plan. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/ranges.h"
#include "cli/options.h"
#include "cli/stop.h"

/* How schedulers number the tasks of an array. */
static const char *const variables[] = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"};
#define VARIABLES (sizeof variables / sizeof *variables)

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
static FvStatus choose(const Options *options, Ranges *ranges)
{
    const char *text = options->shard, *name = "--shard";
    for (size_t i = 0; i < VARIABLES && !options->shard; i++) {
        const char *value = getenv(variables[i]);
        if (!value)
            continue;
        if (text)
            return complain(FV_ERROR_USAGE, "%s and %s are both set: choose with --shard", name, variables[i]);
        text = value;
        name = variables[i];
    }
    if (!text)
        return complain(FV_ERROR_USAGE,
                        "the shard is missing: give --shard N or --shard all, or set one of SLURM_ARRAY_TASK_ID, "
                        "JOB_COMPLETION_INDEX and AWS_BATCH_JOB_ARRAY_INDEX");
    if (options->shard && !strcmp(text, "all"))
        return FV_OK;
    FvStatus status = *text ? ranges_add(ranges, text) : FV_ERROR_USAGE;
    if (status == FV_ERROR_USAGE)
        return bad_shard(name, text);
    return status ? complain(status, "out of memory while reading %s", name) : FV_OK;
}

/* In the order given. */
static FvStatus run_ranges(const FvPlan *plan, const Ranges *ranges, FvPlanRunParams *params, FvError *error)
{
    FvStatus status = FV_OK;
    if (!ranges->count)
        return fv_plan_run(plan, params, error);
    for (int i = 0; i < ranges->count && !status; i++) {
        const Range *range = &ranges->items[i];
        if (range->last >= fv_plan_shards(plan))
            return complain(FV_ERROR_USAGE, "there is no shard %" PRId64 ": the plan has %d shards, from 0 to %d",
                            range->last, fv_plan_shards(plan), fv_plan_shards(plan) - 1);
        params->first = (int)range->first;
        params->count = (int)(range->last - range->first + 1);
        status = fv_plan_run(plan, params, error);
    }
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Options *given = values;
    FvError error = {0};
    FvPlan *plan = NULL;
    Ranges ranges = {.count = 0};
    ProgressStyle style = progress_style(given->progress);
    message_as_json(style == PROGRESS_JSON);
    FvStatus status = choose(given, &ranges);
    const FvCancel *cancel = status == FV_OK ? stop_on_signals() : NULL;
    if (status == FV_OK && !cancel)
        status = FV_ERROR_MEMORY;
    if (status == FV_OK)
        status = complain_if(fv_plan_read(&plan, given->plan ? given->plan : "plan.json", &error), &error);
    if (status == FV_OK) {
        FvPlanRunParams params = {.session = {.device = given->device,
                                              .isa = given->isa,
                                              .threads = (int)given->threads,
                                              .in_flight = (int)given->in_flight,
                                              .log = message_log,
                                              .cancel = cancel},
                                  .folder = given->output ? given->output : "shards",
                                  .ignore_modified = given->ignore_modified,
                                  .progress = on_progress,
                                  .opaque = &style};
        error.status = FV_OK;
        status = run_ranges(plan, &ranges, &params, &error);
        progress_finish(style);
        complain_if(error.status, &error);
    }
    fv_plan_close(&plan);
    ranges_free(&ranges);
    return status;
}

const Command command_run = {
    .name = "run",
    .summary = "compute shards of a plan",
    .synopsis = "[--plan FILE] [--shard LIST] [-o FOLDER] [OPTION]...",
    .description =
        "Computes the shards named, or the shard of this task of a Slurm array, a Kubernetes Indexed Job or an AWS "
        "Batch array, and writes FOLDER/000007.shard and FOLDER/000007.run.json for shard 7.\n"
        "A complete shard is not computed again, so the same command may run any number of times, also on several "
        "machines at once. Videos, options or a numerics version that differ from the plan are refused.",
    .example = "fovea run --plan plan.json --shard 7 -o shards\n"
               "sbatch --array=0-63 --wrap 'fovea run --plan plan.json -o shards'\n"
               "seq 0 63 | parallel -j 4 'fovea run --shard {} --device cuda:$(({%} - 1))'",
    .refusal = "name the shards with --shard: fovea run --plan plan.json --shard 7",
    OPTIONS_OF(FOR_RUN),
    .run = run,
};
