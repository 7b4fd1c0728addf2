/* Makes a plan from a session and two sources, writes it, and makes sessions from it. */
#include "shard/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/source.h"
#include "os/memory.h"
#include "os/output.h"
#include "score/compatibility.h"
#include "score/range.h"

#define MOST_TEXT 16384 /* maximum bytes of a metric's text with its options */

static FvStatus refuse_maps(const FvSession *session, int metric, FvError *error)
{
    const FvMetricInstance *run = fv_session_metric_instance(session, metric);
    if (!run->maps)
        return FV_OK;
    return fv_fail(error, FV_ERROR_USAGE,
                   "%s: its options write maps, and shards write none: leave them out; 'fovea map' makes maps",
                   run->metric->info.name);
}

static FvStatus set_metrics(FvPlan *plan, const FvSession *session, FvError *error)
{
    for (int i = 0; i < fv_session_metrics(session); i++) {
        const FvMetricInstance *run = fv_session_metric_instance(session, i);
        const FvOptions *table = &run->metric->options;
        char text[MOST_TEXT];
        FvStatus status = refuse_maps(session, i, error);
        if (!status)
            status = fv_session_metric_text(session, i, text, sizeof text, error);
        if (status)
            return status;
        if (!fv_plan_copy_text(&plan->metrics[i], text))
            return fv_fail_memory(error, sizeof text);
        plan->metric_count++;
        for (int o = 0; o < table->count && run->files; o++) {
            if (!fv_option_path(run->options, table, o))
                continue;
            FvPlanFile *grown = realloc(plan->files, (size_t)(plan->file_count + 1) * sizeof *grown);
            if (!grown)
                return fv_fail_memory(error, sizeof *grown);
            plan->files = grown;
            grown[plan->file_count] = (FvPlanFile){.metric = i};
            FvPlanFile *file = &grown[plan->file_count++];
            if (!fv_plan_copy_text(&file->option, table->info[o].name) ||
                !fv_plan_copy_text(&file->sha256, run->files[o].sha256))
                return fv_fail_memory(error, sizeof *grown);
        }
    }
    return FV_OK;
}

static FvStatus set_indices(FvPlan *plan, FvSource *const sources[2], FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const FvSourceIndex *index;
        if (!sources[side] || (side == FV_REFERENCE && !plan->uses_reference))
            continue;
        status = fv_source_index(sources[side], &index, error);
        if (!status)
            status = fv_index_copy(&plan->video[side].index, &sources[side]->index, error);
    }
    return status;
}

/* Sets the lead, which a trial session with the plan's metrics and no frames reports. */
static FvStatus set_lead(FvPlan *plan, FvError *error)
{
    FvSession *trial = NULL;
    FvStatus status = fv_plan_session(&trial, plan, &(FvSessionParams){.threads = 1}, error);
    if (!status)
        plan->lead = fv_session_lead(trial);
    fv_session_close(&trial);
    return status;
}

static FvStatus make_plan(FvPlan *plan, const FvPlanParams *params, FvError *error)
{
    FvSource *const sources[2] = {params->reference, params->distorted};
    const FvSourceParams *const opened[2] = {params->reference_params, params->distorted_params};
    FvStatus status = FV_OK;
    char *text;
    plan->score = *params->score;
    plan->score.progress = NULL;
    plan->score.select = NULL;
    plan->score.opaque = NULL;
    plan->uses_reference = params->reference && fv_session_needs_reference(params->session);
    plan->cancel = fv_session_params(params->session)->cancel;
    fv_guard_add_all(&plan->read, &fv_session_facts(params->session)->read);
    for (int side = 0; side < 2; side++)
        if (sources[side])
            fv_guard_add_all(&plan->read, &sources[side]->files);
    if (plan->uses_reference)
        fv_comparison_settle(sources, params->score);
    for (int side = 0; side < 2 && !status; side++)
        if (sources[side])
            status = fv_plan_set_video(&plan->video[side], opened[side], sources[side], error);
    if (!status)
        status = set_metrics(plan, params->session, error);
    if (!status)
        status = set_lead(plan, error);
    if (!status)
        status = set_indices(plan, sources, error);
    if (!status)
        status = fv_plan_cut(plan, params, error);
    if (!status)
        status = fv_plan_print(plan, &text, plan->sha256, error);
    if (!status)
        free(text);
    return status;
}

FvStatus fv_plan_make(FvPlan **plan, const FvPlanParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, plan);
    *plan = NULL;
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, params->session);
    FV_REQUIRE(error, params->distorted);
    FV_REQUIRE(error, params->distorted_params);
    FV_REQUIRE(error, params->score);
    if (fv_session_state(params->session) != FV_SESSION_OPEN || !fv_session_metrics(params->session))
        return fv_fail(error, FV_ERROR_USAGE, "fv_plan_make: the session has no metrics, or has been started");
    if (params->shards < 0 || params->frames_per_shard < 0 || !params->shards == !params->frames_per_shard)
        return fv_fail(error, FV_ERROR_USAGE, "give a plan either a number of shards or a number of frames in each");
    if (fv_session_params(params->session)->scenes)
        return fv_fail(error, FV_ERROR_USAGE,
                       "scenes are found in one pass over all frames: leave them out, or score in one run");
    if (params->score->align || params->score->select)
        return fv_fail(error, FV_ERROR_USAGE,
                       "shards pair frames by index and score every frame: do the same, or score in one run");
    if (params->score->fields || params->distorted_params->fields ||
        (params->reference_params && params->reference_params->fields))
        return fv_fail(error, FV_ERROR_USAGE,
                       "shards score whole frames and keep the field order of the files: leave out `fields`, "
                       "`reference.fields` and `distorted.fields`, or score in one run");
    if (params->score->timing)
        return fv_fail(error, FV_ERROR_USAGE,
                       "the timing is measured of one run on one device, and shards are several runs: leave it out");
    if (!params->reference != !params->reference_params ||
        (!params->reference && fv_session_needs_reference(params->session)))
        return fv_fail(error, FV_ERROR_USAGE, "the chosen metrics compare with a reference: give one");
    FvPlan *made = fv_alloc_zero(sizeof *made);
    if (!made)
        return fv_fail_memory(error, sizeof *made);
    FvStatus status = make_plan(made, params, error);
    if (status)
        fv_plan_close(&made);
    *plan = made;
    return status;
}

FvStatus fv_plan_write(const FvPlan *plan, const char *path, FvError *error)
{
    FV_FLOAT_MODE;
    char *text, sha256[65];
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, path);
    FvStatus status = fv_plan_print(plan, &text, sha256, error);
    if (status)
        return status;
    FvOutput *output;
    status = fv_output_open_guarded(&output, path, &plan->read, plan->cancel, error);
    if (!status) {
        fputs(text, fv_output_file(output));
        status = fv_output_close(&output, error);
    }
    free(text);
    return status;
}

const char *fv_plan_hash(const FvPlan *plan)
{
    return plan ? plan->sha256 : NULL;
}

int fv_plan_shards(const FvPlan *plan)
{
    return plan ? plan->shards : 0;
}

bool fv_plan_shard(const FvPlan *plan, int shard, FvPlanShard *info)
{
    if (!plan || !info || shard < 0 || shard >= plan->shards)
        return false;
    const int64_t first = plan->cuts[shard];
    *info = (FvPlanShard){
        .first = first, .frames = plan->cuts[shard + 1] - first, .lead = plan->lead < first ? plan->lead : first};
    return true;
}

FvStatus fv_plan_check_shard(const FvPlan *plan, int64_t shard, FvError *error)
{
    if (shard >= 0 && shard < plan->shards)
        return FV_OK;
    return fv_fail(error, FV_ERROR_USAGE, "shard %" PRId64 " does not exist: the plan has %d, from 0 to %d", shard,
                   plan->shards, plan->shards - 1);
}

void fv_plan_close(FvPlan **plan)
{
    FvPlan *closing = plan ? *plan : NULL;
    if (!closing)
        return;
    *plan = NULL;
    fv_plan_free_video(&closing->video[FV_REFERENCE]);
    fv_plan_free_video(&closing->video[FV_DISTORTED]);
    fv_guard_free(&closing->read);
    for (int i = 0; i < closing->metric_count; i++)
        free(closing->metrics[i]);
    for (int i = 0; i < closing->file_count; i++) {
        free(closing->files[i].option);
        free(closing->files[i].sha256);
    }
    free(closing->files);
    free(closing->cuts);
    fv_free(closing);
}

/* ---- Sessions of a plan ---------------------------------------------------------------------------------------- */

static const char *hash_of(const FvSession *session, const FvPlanFile *file)
{
    const FvMetricInstance *run =
        file->metric < fv_session_metrics(session) ? fv_session_metric_instance(session, file->metric) : NULL;
    for (int o = 0; run && run->files && o < run->metric->options.count; o++)
        if (!strcmp(run->metric->options.info[o].name, file->option))
            return run->files[o].sha256;
    return "";
}

FvStatus fv_plan_add_metrics(const FvPlan *plan, FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    fv_session_protect(session, &plan->read);
    for (int i = 0; i < plan->metric_count && !status; i++)
        status = fv_session_add(session, plan->metrics[i], error);
    for (int i = 0; i < fv_session_metrics(session) && !status; i++)
        status = refuse_maps(session, i, error);
    for (int i = 0; i < plan->file_count && !status; i++)
        if (strcmp(hash_of(session, &plan->files[i]), plan->files[i].sha256))
            status = fv_fail(error, FV_FAIL_CHANGED,
                             "%s: the file of its option %s has changed since the plan was made: its SHA-256 differs",
                             plan->metrics[plan->files[i].metric], plan->files[i].option);
    return status;
}

FvStatus fv_plan_session(FvSession **session, const FvPlan *plan, const FvSessionParams *params, FvError *error)
{
    FvSessionParams own = *params;
    own.device = "cpu";
    own.log = NULL;
    FvStatus status = fv_session_open(session, &own, error);
    if (status)
        return status;
    status = fv_plan_add_metrics(plan, *session, error);
    if (!status)
        status = fv_score_import(*session, plan->uses_reference ? &plan->video[FV_REFERENCE].info : NULL,
                                 &plan->video[FV_DISTORTED].info, &plan->score, error);
    if (status)
        fv_session_close(session);
    return status;
}
