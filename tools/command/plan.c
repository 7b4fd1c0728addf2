/* fovea plan: divides a run into shards, which any machine can compute. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "report/reports.h"
#include "scoring/encodes.h"
#include "scoring/scoring.h"

#define LOOKS_BACK 2 /* maximum number of earlier frames that a metric reads, unless it depends on all */

static FvStatus make_plan(const Options *options, Opened *opened, const char *path)
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
                                          .reference_params = opened->source[0] ? &opened->run.source[0] : NULL,
                                          .distorted_params = &opened->run.source[1],
                                          .score = &opened->run.score,
                                          .shards = (int)options->shards,
                                          .frames_per_shard = options->frames_per_shard},
                          &error);
    if (status == FV_OK)
        status = fv_plan_write(plan, path, &error);
    FvPlanShard last;
    if (status == FV_OK && fv_plan_shard(plan, fv_plan_shards(plan) - 1, &last) && last.first &&
        last.lead == last.first && last.first > LOOKS_BACK)
        warn("a metric depends on all frames before: each shard reads the videos from the start, which is exact but "
             "saves little");
    fv_plan_close(&plan);
    return report_error_if(status, &error);
}

static FvStatus plan_one(const Options *options, const char *encode, const char *path)
{
    Opened opened = {.session = NULL};
    Options own = *options;
    own.distorted = encode;
    const FvStatus status = make_plan(&own, &opened, path);
    scoring_close(&opened);
    return status;
}

/* Writes a plan for each encode. An encode that is refused does not stop the others. */
static int plan_each(const Options *options, const ArgList *encodes)
{
    const char *folder = options->output ? options->output : "plans";
    ArgList paths = {0};
    if (!reports_is_folder(folder))
        return report_error(FV_ERROR_USAGE,
                            "-o %s is a file, but each encode gets a plan of its own; name a folder, with -o FOLDER/",
                            folder);
    int worst = encodes_name(&paths, encodes, folder, "json");
    const bool named = !worst;
    message_common(options->reference);
    for (int i = 0; i < encodes->count && named; i++) {
        message_about(encodes->items[i]);
        const int status = plan_one(options, encodes->items[i], paths.items[i]);
        worst = status > worst ? status : worst;
        message_about(NULL);
        if (status == FV_ERROR_USAGE)
            break;
    }
    message_common(NULL);
    encodes_free(&paths);
    return worst;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    ArgList encodes = {0};
    if (!options->encodes.count)
        return report_error(FV_FAIL_MISSING_VIDEO,
                            "the video is missing: fovea plan -r REFERENCE -d DISTORTED --shards N");
    if (!options->shards == !options->frames_per_shard)
        return report_error(FV_ERROR_USAGE, "give either --shards N or --frames-per-shard N");
    int status = encodes_list(&encodes, &options->encodes);
    if (!status)
        status = encodes.count > 1
                     ? plan_each(options, &encodes)
                     : (int)plan_one(options, encodes.items[0], options->output ? options->output : "plan.json");
    encodes_free(&encodes);
    return status;
}

const Command command_plan = {
    .name = "plan",
    .summary = "cut a scoring into shards that many machines compute",
    .synopsis = "REFERENCE DISTORTED... --shards N [OPTION]...",
    .description =
        "Lists the packets of both videos, without decoding, and writes a plan: the frames of each shard, where "
        "decoding starts in the videos, all options, and how to recognize the files. Several encodes of a reference "
        "get a plan each, in a folder that 'fovea run' and 'fovea merge' take in place of a plan.\n"
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
