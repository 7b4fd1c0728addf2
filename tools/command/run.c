/* fovea run: computes shards of a plan. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/ranges.h"
#include "cli/stop.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"
#include "scoring/plans.h"

/* Environment variables in which schedulers give the number of a task in an array. */
static const char *const variables[] = {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"};
#define VARIABLES (sizeof variables / sizeof *variables)

static bool on_progress(void *opaque, const FvProgress *progress)
{
    progress_show(*(const ProgressStyle *)opaque, progress, NULL);
    return true;
}

/* Chooses the shards by --shard, or by the one variable that is set. */
static FvStatus choose_shards(const Options *options, Ranges *ranges)
{
    const char *text = options->shard, *name = "--shard";
    for (size_t i = 0; i < VARIABLES && !options->shard; i++) {
        const char *value = getenv(variables[i]);
        if (!value)
            continue;
        if (text)
            return report_error(FV_ERROR_USAGE, "%s and %s are both set: choose with --shard", name, variables[i]);
        text = value;
        name = variables[i];
    }
    if (!text)
        return report_error(FV_ERROR_USAGE,
                            "the shard is missing: give --shard N or --shard all, or set one of SLURM_ARRAY_TASK_ID, "
                            "JOB_COMPLETION_INDEX and AWS_BATCH_JOB_ARRAY_INDEX");
    if (options->shard && !strcmp(text, "all"))
        return FV_OK;
    FvStatus status = *text ? ranges_add(ranges, text) : FV_ERROR_USAGE;
    if (status == FV_ERROR_USAGE)
        return report_error(FV_ERROR_USAGE, "%s takes numbers from 0, as in 7 or 0,4-6, not '%s'", name, text);
    return status ? report_error(status, "out of memory while reading %s", name) : FV_OK;
}

/* Computes the shards of the ranges in the order given, skipping numbers that the plan lacks. */
static FvStatus run_ranges(const FvPlan *plan, const Ranges *ranges, FvPlanRunParams *params)
{
    const int shards = fv_plan_shards(plan);
    FvError error = {0};
    FvStatus status = ranges->count ? FV_OK : fv_plan_run(plan, params, &error);
    for (int i = 0; i < ranges->count && !status; i++) {
        const Range *range = &ranges->items[i];
        const int64_t last = range->last < shards ? range->last : shards - 1;
        params->first = (int)range->first;
        params->count = (int)(last - range->first + 1);
        status = params->count > 0 ? fv_plan_run(plan, params, &error) : FV_OK;
    }
    progress_finish(*(const ProgressStyle *)params->opaque);
    return report_error_if(status, &error);
}

/* The plans to run, which are open at the same time because together they determine the shards. */
typedef struct Plans {
    ArgList paths;
    FvPlan **plan;
    int most; /* greatest number of shards in one plan */
} Plans;

static FvStatus open_plans(Plans *plans, const char *path)
{
    FvError error = {0};
    FvStatus status = plans_list(&plans->paths, path);
    plans->plan = status ? NULL : calloc((size_t)plans->paths.count, sizeof *plans->plan);
    if (!status && !plans->plan)
        status = report_error(FV_ERROR_MEMORY, "out of memory for the plans");
    for (int i = 0; i < plans->paths.count && !status; i++) {
        status = report_error_if(fv_plan_read(&plans->plan[i], plans->paths.items[i], &error), &error);
        const int shards = status ? 0 : fv_plan_shards(plans->plan[i]);
        plans->most = shards > plans->most ? shards : plans->most;
    }
    return status;
}

/* Computes shards of each plan into FOLDER/000007.shard, or for several plans into FOLDER/ENCODE/000007.shard. */
static int run_plans(const Plans *plans, bool several, const Ranges *ranges, FvPlanRunParams *params)
{
    const char *folder = params->folder;
    int worst = EXIT_OK;
    if (several && mkdir(folder, 0777) && errno != EEXIST)
        return report_error(fv_failure_of_system(FV_ERROR_OUTPUT, errno), "%s: the folder cannot be made: %s", folder,
                            strerror(errno));
    for (int i = 0; i < plans->paths.count; i++) {
        char *own = several ? plans_name(plans->paths.items[i], folder) : NULL;
        params->folder = several ? own : folder;
        const int status = params->folder ? run_ranges(plans->plan[i], ranges, params) : FV_ERROR_MEMORY;
        worst = status > worst ? status : worst;
        free(own);
    }
    return worst;
}

static int run(const void *values, const ArgList *words)
{
    const Options *given = values;
    Plans plans = {.most = 0};
    Ranges ranges = {.count = 0};
    ProgressStyle style = progress_style(given->progress, given->quiet);
    const char *path = given->plan ? given->plan : "plan.json";
    int status = choose_shards(given, &ranges);
    const FvCancel *cancel = status == FV_OK ? stop_on_signals() : NULL;
    if (status == FV_OK && !cancel)
        status = FV_ERROR_MEMORY;
    if (status == FV_OK)
        status = open_plans(&plans, path);
    for (int i = 0; i < ranges.count && status == FV_OK; i++)
        if (ranges.items[i].last >= plans.most)
            status =
                report_error(FV_ERROR_USAGE, "there is no shard %" PRId64 ": the plan has %d shards, from 0 to %d",
                             ranges.items[i].last, plans.most, plans.most - 1);
    if (status == FV_OK) {
        FvPlanRunParams params = {.session = given->run.session,
                                  .folder = given->output ? given->output : "shards",
                                  .ignore_modified = given->ignore_modified,
                                  .progress = on_progress,
                                  .opaque = &style};
        params.session.log = message_log;
        params.session.cancel = cancel;
        status = run_plans(&plans, folders_is_one(path), &ranges, &params);
    }
    for (int i = 0; i < plans.paths.count && plans.plan; i++)
        fv_plan_close(&plans.plan[i]);
    free(plans.plan);
    encodes_free(&plans.paths);
    ranges_free(&ranges);
    return status;
}

const Command command_run = {
    .name = "run",
    .alias = "shard",
    .summary = "compute shards of a plan",
    .synopsis = "[--plan FILE|FOLDER] [--shard LIST] [-o FOLDER] [OPTION]...",
    .description =
        "Computes the shards named, or the shard of this task of a Slurm array, a Kubernetes Indexed Job or an AWS "
        "Batch array, and writes FOLDER/000007.shard and FOLDER/000007.run.json for shard 7; with a folder of "
        "plans, those in FOLDER/ENCODE, for each encode whose plan has a shard 7.\n"
        "A complete shard is not computed again, so the same command may run any number of times, also on several "
        "machines at once. Videos, options or a numerics version that differ from the plan are refused.",
    .example = "fovea run --plan plan.json --shard 7 -o shards\n"
               "sbatch --array=0-63 --wrap 'fovea run --plan plan.json -o shards'\n"
               "seq 0 63 | parallel -j 4 'fovea run --shard {} --device cuda:$(({%} - 1))'",
    .refusal = "name the shards with --shard: fovea run --plan plan.json --shard 7",
    OPTIONS_OF(FOR_RUN),
    .run = run,
};
