/* Which frames of two files are pairs. */
#include "pairs/state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"

static bool add_pair(FvPairPlan *plan, int64_t reference, int64_t distorted)
{
    if (plan->count == plan->room) {
        const int64_t room = plan->room ? 2 * plan->room : 1024;
        for (int side = 0; side < 2; side++) {
            int64_t *grown = realloc(plan->frame[side], (size_t)room * sizeof *grown);
            if (!grown)
                return false;
            plan->frame[side] = grown;
        }
        plan->room = room;
    }
    plan->frame[REFERENCE][plan->count] = reference;
    plan->frame[DISTORTED][plan->count++] = distorted;
    return true;
}

FvStatus fv_pairs_make_plan(FvPairs *pairs, FvError *error)
{
    FvPairPlan *plan = &pairs->plan;
    FvMatch match = {.source = {pairs->source[REFERENCE], pairs->source[DISTORTED]},
                     .alignment = pairs->params.align == FV_ALIGN_BY_CONTENT ? pairs->params.alignment : NULL,
                     .last = -1};
    plan->count = 0;
    for (int side = 0; side < 2; side++) {
        FvSource *source = pairs->source[side];
        const FvSourceIndex *index;
        plan->sequential |= !source || fv_source_index(source, &index, NULL) ||
                            (!match.alignment && source->tick_den && !source->index.time);
        if (!plan->sequential)
            match.known[side] = (FvMatchTimes){index->frames, source->index.time};
    }
    FvStatus status = plan->sequential ? FV_END : FV_OK;
    while (!status) {
        FvFrame *none[2] = {NULL, NULL};
        int64_t number;
        status = fv_match_next(&match, none, &number, NULL);
        if (!status && !add_pair(plan, match.last, number))
            return fv_fail_memory(error, (size_t)plan->room * sizeof(int64_t));
    }
    plan->sequential |= status != FV_END; /* it may be good for some frames: reading tells of which */
    if (plan->sequential)
        plan->count = 0;
    plan->made = true;
    return FV_OK;
}

int64_t fv_pairs_find(const FvPairPlan *plan, int64_t frame)
{
    int64_t low = 0, high = plan->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (plan->frame[DISTORTED][middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t fv_pairs_frame_at(const FvPairs *pairs, int side, int64_t place)
{
    return pairs->plan.count ? pairs->plan.frame[side][place] : pairs->skip[side] + place;
}

int64_t fv_pairs_number_at(const FvPairs *pairs, int64_t place)
{
    return pairs->plan.count ? pairs->plan.frame[DISTORTED][place] : place;
}

FvStatus fv_pairs_fail_unpaired(const FvPairs *pairs, int64_t number, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT, "frame %" PRId64 " of %s has no pair", number,
                   pairs->source[DISTORTED]->info.path);
}

FvStatus fv_pairs_find_place(const FvPairs *pairs, int64_t number, int64_t *place, FvError *error)
{
    *place = number;
    if (!fv_pairs_match(pairs))
        return pairs->frames && number >= pairs->frames ? FV_END : FV_OK;
    *place = fv_pairs_find(&pairs->plan, number);
    if (*place == pairs->plan.count)
        return FV_END;
    return fv_pairs_number_at(pairs, *place) == number ? FV_OK : fv_pairs_fail_unpaired(pairs, number, error);
}
