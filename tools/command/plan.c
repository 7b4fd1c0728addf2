/* fovea plan: cuts a scoring into shards, which any machine can compute. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/message.h"
#include "scoring/scoring.h"

typedef struct Plan {
    Scoring scoring;
    int64_t shards, frames;
    const char *output;
} Plan;

#define LOOKS_BACK 2 /* frames: as far as metrics look back that do not remember all of them */
#define AT(field) offsetof(Plan, field)

static const ArgOption options[] = {
    SCORING_ROWS,
    {.section = "The plan",
     .name = "shards",
     .kind = ARG_INT,
     .offset = AT(shards),
     .value = "N",
     .minimum = 1,
     .maximum = 1000000,
     .help = "how many shards"},
    {.name = "frames-per-shard",
     .kind = ARG_INT,
     .offset = AT(frames),
     .value = "N",
     .minimum = 1,
     .maximum = INT32_MAX,
     .help = "instead: how many frames each has, more or less, as cuts lie where both videos can be entered"},
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .offset = AT(output),
     .value = "FILE",
     .offer = OFFER_FILES,
     .help = "write the plan; - is standard output (plan.json)"},
};

static void on_log(void *opaque, FvLogLevel level, const char *message)
{
    (void)opaque;
    if (level != FV_LOG_INFO)
        warn("%s", message);
}

static FvStatus make(const Plan *values, Opened *opened)
{
    FvPlan *plan = NULL;
    FvError error = {0};
    FvStatus status = scoring_open(opened, &values->scoring, &(FvSessionParams){.device = "cpu", .log = on_log});
    if (status != FV_OK)
        return status;
    if (opened->params.align)
        return complain(FV_ERROR_USAGE, "--align %s: frames of shards pair by index; score these videos in one run",
                        values->scoring.align);
    status = fv_plan_make(&plan,
                          &(FvPlanParams){.session = opened->session,
                                          .reference = opened->source[0],
                                          .distorted = opened->source[1],
                                          .reference_params = opened->source[0] ? &opened->source_params[0] : NULL,
                                          .distorted_params = &opened->source_params[1],
                                          .score = &opened->params,
                                          .shards = (int)values->shards,
                                          .frames_per_shard = values->frames},
                          &error);
    if (status == FV_OK)
        status = fv_plan_write(plan, values->output ? values->output : "plan.json", &error);
    FvPlanShard last;
    if (status == FV_OK && fv_plan_shard(plan, fv_plan_shards(plan) - 1, &last) && last.first &&
        last.lead == last.first && last.first > LOOKS_BACK)
        warn("a metric remembers all frames before: each shard reads the videos from their beginning, which is exact "
             "and saves little");
    fv_plan_close(&plan);
    return status ? complain(status, "%s", error.message) : FV_OK;
}

static int run(const void *values, const ArgList *words)
{
    const Plan *plan = values;
    Opened opened = {.session = NULL};
    (void)words;
    if (!plan->scoring.distorted)
        return complain(FV_ERROR_USAGE, "which video? fovea plan -r REFERENCE -d DISTORTED --shards N");
    if (!plan->shards == !plan->frames)
        return complain(FV_ERROR_USAGE, "say --shards N or --frames-per-shard N, one of the two");
    int status = make(plan, &opened);
    scoring_close(&opened);
    return status;
}

const Command command_plan = {
    .name = "plan",
    .summary = "cut a scoring into shards that many machines compute",
    .synopsis = "-r REFERENCE -d DISTORTED --shards N [OPTION]...",
    .description =
        "Lists the packets of both videos, without decoding, and writes a plan: which frames each shard has, where "
        "the "
        "videos are entered, all options, and by what the files are known again.\n"
        "'fovea run' computes the shards, on any machine that has the videos under the same names, in any order. "
        "'fovea merge' makes the report of them, which is byte for byte that of 'fovea score'. The page "
        "many-machines.md has recipes for Slurm, Kubernetes, AWS Batch and GNU parallel.",
    .example = "fovea plan -r reference.mov -d distorted.mp4 --shards 64 -o plan.json\n"
               "fovea run --plan plan.json --shard 7 -o shards\n"
               "fovea merge --plan plan.json -o report.json shards/*",
    .refusal = "name the two files: fovea plan -r REFERENCE -d DISTORTED --shards N",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Plan),
    .run = run,
};
