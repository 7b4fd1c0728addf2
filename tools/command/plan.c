/* fovea plan: cuts a scoring into shards, which any machine can compute. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "scoring/scoring.h"

#define LOOKS_BACK 2 /* frames, of metrics that do not remember all of them */

static FvStatus make(const Options *options, Opened *opened)
{
    FvPlan *plan = NULL;
    FvError error = {0};
    FvStatus status = scoring_open(opened, options, &(FvSessionParams){.device = "cpu", .log = message_log});
    if (status != FV_OK)
        return status;
    status = fv_plan_make(&plan,
                          &(FvPlanParams){.session = opened->session,
                                          .reference = opened->source[0],
                                          .distorted = opened->source[1],
                                          .reference_params = opened->source[0] ? &opened->source_params[0] : NULL,
                                          .distorted_params = &opened->source_params[1],
                                          .score = &opened->params,
                                          .shards = (int)options->shards,
                                          .frames_per_shard = options->frames_per_shard},
                          &error);
    if (status == FV_OK)
        status = fv_plan_write(plan, options->output ? options->output : "plan.json", &error);
    FvPlanShard last;
    if (status == FV_OK && fv_plan_shard(plan, fv_plan_shards(plan) - 1, &last) && last.first &&
        last.lead == last.first && last.first > LOOKS_BACK)
        warn("a metric depends on all frames before: each shard reads the videos from the start, which is exact but "
             "saves little");
    fv_plan_close(&plan);
    return complain_if(status, &error);
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    Opened opened = {.session = NULL};
    if (!options->distorted)
        return complain(FV_ERROR_USAGE, "the video is missing: fovea plan -r REFERENCE -d DISTORTED --shards N");
    if (!options->shards == !options->frames_per_shard)
        return complain(FV_ERROR_USAGE, "give either --shards N or --frames-per-shard N");
    int status = make(options, &opened);
    scoring_close(&opened);
    return status;
}

const Command command_plan = {
    .name = "plan",
    .summary = "cut a scoring into shards that many machines compute",
    .synopsis = "REFERENCE DISTORTED --shards N [OPTION]...",
    .description =
        "Lists the packets of both videos, without decoding, and writes a plan: the frames of each shard, where "
        "decoding starts in the videos, all options, and how to recognize the files.\n"
        "'fovea run' computes the shards in any order, on any machine that has the videos under the same names. "
        "'fovea merge' makes the report, byte for byte the same as that of 'fovea score'. The page many-machines.md "
        "has recipes for Slurm, Kubernetes, AWS Batch and GNU parallel.",
    .example = "fovea plan -r reference.mov -d distorted.mp4 --shards 64 -o plan.json\n"
               "fovea run --plan plan.json --shard 7 -o shards\n"
               "fovea merge --plan plan.json -o report.json shards/*",
    .refusal = "name the two files: fovea plan REFERENCE DISTORTED --shards N",
    OPTIONS_OF(FOR_PLAN),
    .run = run,
};
