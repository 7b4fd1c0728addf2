/* Cuts a plan into shards: evenly, and near frames where decoding can begin. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "score/span.h"
#include "shard/plan.h"

#define MOST_SHARDS 1000000 /* maximum number of shards of a plan */

/* Counts the frames to score, from the index of each video. */
static FvStatus count_frames(FvPlan *plan, int64_t skip[2], FvError *error)
{
    const FvSourceInfo *info[2] = {plan->uses_reference ? &plan->video[FV_REFERENCE].info : NULL,
                                   &plan->video[FV_DISTORTED].info};
    FvComparison pair = {.params = &plan->score, .info = {info[FV_REFERENCE], info[FV_DISTORTED]}};
    FvStatus status = fv_span_choose(&pair, error);
    const int64_t frames = pair.frames;
    int64_t left[2] = {0, 0};
    skip[FV_REFERENCE] = pair.skip[FV_REFERENCE];
    skip[FV_DISTORTED] = pair.skip[FV_DISTORTED];
    for (int side = 0; side < 2 && !status; side++) {
        const int64_t all = plan->video[side].index.shown.frames;
        left[side] = all - skip[side];
        if (info[side] && left[side] <= 0)
            status = fv_fail(error, FV_ERROR_INPUT,
                             "%s has %" PRId64 " frames, and the first %" PRId64 " are to be skipped",
                             plan->video[side].path, all, skip[side]);
    }
    if (status)
        return status;
    left[FV_REFERENCE] = info[FV_REFERENCE] ? left[FV_REFERENCE] : left[FV_DISTORTED];
    if (!fv_span_fits(&plan->score, frames, left[FV_REFERENCE], left[FV_DISTORTED]))
        return fv_fail(error, FV_FAIL_LENGTH,
                       "the videos have unequal lengths: %s has %" PRId64 " frames to compare, %s has %" PRId64
                       "; `shortest` compares the first ones only",
                       plan->video[FV_REFERENCE].path, left[FV_REFERENCE], plan->video[FV_DISTORTED].path,
                       left[FV_DISTORTED]);
    plan->frames = fv_span_pairs(frames, left[FV_REFERENCE], left[FV_DISTORTED]);
    if (plan->frames > FV_PLAN_MOST_FRAMES)
        return fv_fail(error, FV_ERROR_USAGE, "%" PRId64 " frames are more than the %d that a plan has", plan->frames,
                       FV_PLAN_MOST_FRAMES);
    return FV_OK;
}

/* Returns the entry of a video nearest to `frame`. Both are counted from the first frame that is not skipped. */
static int64_t nearest_entry(const FvIndex *index, int64_t skip, int64_t frame)
{
    if (!index->entries)
        return frame;
    const int64_t i = fv_index_entry(index, frame + skip), before = index->entries[i] - skip;
    if (i + 1 == index->shown.entry_count)
        return before;
    const int64_t after = index->entries[i + 1] - skip;
    return frame - before <= after - frame ? before : after;
}

static bool is_entry(const FvIndex *index, int64_t skip, int64_t frame)
{
    return !index->entries || index->entries[fv_index_entry(index, frame + skip)] == frame + skip;
}

/* Chooses a cut near `frame` where decoding of both videos can begin, if there is one within `most` frames. */
static int64_t choose_cut(const FvPlan *plan, const int64_t skip[2], int64_t frame, int64_t most)
{
    const FvIndex *ref = &plan->video[FV_REFERENCE].index, *dis = &plan->video[FV_DISTORTED].index;
    const int64_t near[2] = {plan->uses_reference ? nearest_entry(ref, skip[0], frame) : frame,
                             nearest_entry(dis, skip[1], frame)};
    int64_t best = frame;
    bool found = false, both = false;
    for (int i = 0; i < 2; i++) {
        const int64_t distance = near[i] > frame ? near[i] - frame : frame - near[i];
        const int64_t now = best > frame ? best - frame : frame - best;
        if (distance > most)
            continue;
        const bool fits =
            (!plan->uses_reference || is_entry(ref, skip[0], near[i])) && is_entry(dis, skip[1], near[i]);
        if (!found || (fits && !both) || (fits == both && distance < now)) {
            best = near[i];
            both = fits;
        }
        found = true;
    }
    return best;
}

FvStatus fv_plan_cut(FvPlan *plan, const FvPlanParams *params, FvError *error)
{
    int64_t skip[2], shards = params->shards;
    FvStatus status = count_frames(plan, skip, error);
    if (status)
        return status;
    if (!shards)
        shards = (plan->frames + params->frames_per_shard - 1) / params->frames_per_shard;
    if (shards > plan->frames)
        return fv_fail(error, FV_ERROR_USAGE, "%" PRId64 " shards are more than the %" PRId64 " frames", shards,
                       plan->frames);
    if (shards > MOST_SHARDS)
        return fv_fail(error, FV_ERROR_USAGE, "%" PRId64 " shards are more than the %d that a plan has", shards,
                       MOST_SHARDS);
    plan->cuts = malloc((size_t)(shards + 1) * sizeof *plan->cuts);
    if (!plan->cuts)
        return fv_fail_memory(error, (size_t)(shards + 1) * sizeof *plan->cuts);
    const int64_t most = plan->frames / shards / 4;
    plan->cuts[0] = 0;
    for (int64_t i = 1; i < shards; i++) {
        const int64_t even = params->shards ? (int64_t)((double)i * (double)plan->frames / (double)shards)
                                            : i * params->frames_per_shard;
        const int64_t chosen = choose_cut(plan, skip, even, most);
        plan->cuts[i] = chosen > plan->cuts[i - 1] && chosen < plan->frames - (shards - i - 1) ? chosen : even;
    }
    plan->cuts[shards] = plan->frames;
    plan->shards = (int)shards;
    return FV_OK;
}
