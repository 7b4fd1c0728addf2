/* Computes shards: one pass over the videos for several consecutive shards. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/source.h"
#include "os/thread.h"
#include "score/compatibility.h"
#include "score/range.h"
#include "shard/shard.h"

typedef struct Pass {
    const FvShardPass *pass;
    FvShardOpened *opened;
    FvScoreRange range;
    int next;         /* number of the next shard to deliver */
    int64_t reported; /* number of frames reported to the progress callback */
} Pass;

/* The opening of a video, in a thread of its own, because the device and the videos take equally long. */
typedef struct Opening {
    Pass *pass;
    int side;
    FvThread thread;
    FvStatus status;
    FvError error;
} Opening;

static FvStatus check_identity(const FvPlanVideo *video, bool ignore_modified, FvError *error)
{
    int64_t bytes, modified;
    char sha256[65];
    FvStatus status = fv_plan_identify(video->path, &bytes, &modified, sha256, error);
    if (status)
        return status;
    if (bytes != video->bytes)
        return fv_fail(error, FV_FAIL_CHANGED,
                       "%s has %" PRId64 " bytes, and %" PRId64 " in the plan: it has changed, make a new plan",
                       video->path, bytes, video->bytes);
    if (strcmp(sha256, video->sha256))
        return fv_fail(error, FV_FAIL_CHANGED, "%s: its content has changed since the plan was made: make a new plan",
                       video->path);
    if (modified != video->modified && !ignore_modified)
        return fv_fail(
            error, FV_FAIL_CHANGED,
            "%s was modified since the plan was made; if it is a copy of the same file, give `ignore_modified`",
            video->path);
    return FV_OK;
}

static FvStatus open_video(const Pass *pass, int side, FvError *error)
{
    FvSource **source = &pass->opened->source[side];
    const FvPlanVideo *video = &pass->pass->plan->video[side];
    const FvSessionParams *session = pass->pass->session;
    FvSourceParams params = video->given;
    FvIndex index;
    if (!video->present)
        return FV_OK;
    params.path = video->path;
    params.raw_layout = video->layout;
    params.threads = session->threads < 256 ? session->threads : 256;
    params.scored_on = session->device;
    params.cancel = session->cancel;
    FvStatus status = check_identity(video, pass->pass->ignore_modified, error);
    if (!status)
        status = fv_source_open(source, &params, error);
    if (status)
        return status;
    if (side == FV_REFERENCE && !pass->pass->plan->uses_reference)
        return FV_OK;
    status = fv_index_copy(&index, &video->index, error);
    if (!status)
        fv_source_take_index(*source, &index);
    return status;
}

static void open_beside(void *opaque)
{
    Opening *opening = opaque;
    opening->status = open_video(opening->pass, opening->side, &opening->error);
}

/*
 * Opens the session and the videos at once. This thread opens the session, because NVIDIA's Vulkan takes 12 ms to end
 * a thread that has opened a device.
 */
static FvStatus open_all(Pass *pass, FvError *error)
{
    Opening opening[2] = {{.pass = pass, .side = 0}, {.pass = pass, .side = 1}};
    for (int side = 0; side < 2; side++)
        fv_thread_start(&opening[side].thread, open_beside, &opening[side]);
    FvStatus status = fv_session_open(&pass->opened->session, pass->pass->session, error);
    if (!status)
        status = fv_plan_add_metrics(pass->pass->plan, pass->opened->session, error);
    for (int side = 0; side < 2; side++) {
        if (opening[side].thread.running)
            fv_thread_join(&opening[side].thread);
        else if (!status)
            open_beside(&opening[side]);
        if (!status && opening[side].status) {
            status = opening[side].status;
            *error = opening[side].error;
        }
    }
    return status;
}

/*
 * Checks a video. Call it when both are open, because a fact that one video does not state is taken from the other.
 */
static FvStatus check_video(const Pass *pass, int side, FvError *error)
{
    const FvPlanVideo *video = &pass->pass->plan->video[side];
    if (!video->present)
        return FV_OK;
    const char *differs = fv_plan_difference(fv_source_info(pass->opened->source[side]), &video->info);
    if (differs)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: this machine reads another '%s' than the plan states: do both machines have the same libav?",
            video->path, differs);
    return FV_OK;
}

/* Delivers every shard whose rows are complete. */
static FvStatus deliver_shards(void *opaque, int64_t first_row, bool ended, FvError *error)
{
    Pass *pass = opaque;
    const FvPlan *plan = pass->pass->plan;
    const int end = pass->pass->first + pass->pass->count;
    const int64_t done = first_row + fv_session_rows(pass->opened->session);
    FvStatus status = FV_OK;
    /* The last shard is delivered only at the end, which shows whether the videos end with it. */
    while (!status && pass->next < end && plan->cuts[pass->next + 1] <= done &&
           (ended || pass->next + 1 < plan->shards)) {
        const int64_t first = plan->cuts[pass->next];
        FvShard rows;
        status =
            fv_shard_make(&rows, pass->opened->session, first - first_row, plan->cuts[pass->next + 1] - first, error);
        if (!status) {
            status = fv_pair_signatures_take(&rows.pairs, &pass->range.pairs, rows.rows, error);
            if (!status)
                status = fv_looks_copy(&rows.looked, &pass->range.looked, first, plan->cuts[pass->next + 1], error);
            if (status)
                fv_shard_free(&rows);
        }
        if (!status)
            status = pass->pass->on_shard(pass->pass->opaque, pass->next, &rows, pass->opened->session, error);
        pass->next += !status;
    }
    return status;
}

/* Delivers the rows of incomplete shards to pass->on_rest(). */
static void keep_rest(Pass *pass, int64_t first_row)
{
    const FvPlan *plan = pass->pass->plan;
    FvShard rows;
    FvError ignored;
    const int end = pass->pass->first + pass->pass->count;
    if (!pass->pass->on_rest)
        return;
    const int64_t done = first_row + fv_session_rows(pass->opened->session);
    for (int shard = pass->next; shard < end && (shard == pass->next || plan->cuts[shard] < done); shard++) {
        const int64_t first = plan->cuts[shard], all = plan->cuts[shard + 1] - first;
        const int64_t some = done > first ? done - first : 0, count = some < all ? some : all;
        if (!fv_shard_make(&rows, pass->opened->session, count ? first - first_row : 0, count, &ignored))
            pass->pass->on_rest(pass->pass->opaque, shard, &rows);
    }
}

static bool report_progress(void *opaque, const FvProgress *progress)
{
    Pass *pass = opaque;
    const int64_t frames = progress->frames - pass->reported;
    pass->reported = progress->frames;
    return !pass->pass->progress || pass->pass->progress(pass->pass->opaque, frames > 0 ? frames : 0);
}

static FvStatus score_pass(Pass *pass, FvError *error)
{
    const FvPlan *plan = pass->pass->plan;
    const FvShardOpened *opened = pass->opened;
    const int first = pass->pass->first, end = first + pass->pass->count;
    FvScoreParams params = plan->score;
    params.progress = report_progress;
    params.opaque = pass;
    pass->range = (FvScoreRange){.first = plan->cuts[first],
                                 .end = plan->cuts[end],
                                 .last = end == plan->shards,
                                 .on_rows = deliver_shards,
                                 .opaque = pass};
    pass->next = first;
    FvStatus status = fv_score_range(opened->session, opened->source[FV_REFERENCE], opened->source[FV_DISTORTED],
                                     &params, &pass->range, error);
    if (status)
        keep_rest(pass, pass->range.first_row);
    return status;
}

FvStatus fv_shard_pass(const FvShardPass *params, FvShardOpened *opened, FvError *error)
{
    Pass pass = {.pass = params, .opened = opened, .next = params->first};
    FvStatus status = open_all(&pass, error);
    if (!status && params->plan->uses_reference)
        fv_comparison_settle(opened->source, &params->plan->score);
    for (int side = 0; side < 2 && !status; side++)
        status = check_video(&pass, side, error);
    if (params->ready && !params->ready(params->opaque, status) && !status)
        status = fv_fail(error, FV_ERROR_PARTIAL, "another device cannot score its part");
    if (!status)
        status = score_pass(&pass, error);
    fv_pair_signatures_free(&pass.range.pairs);
    fv_looks_free(&pass.range.looked);
    return status;
}

void fv_shard_close(FvShardOpened *opened)
{
    fv_source_close(&opened->source[FV_REFERENCE]);
    fv_source_close(&opened->source[FV_DISTORTED]);
    fv_session_close(&opened->session);
}
