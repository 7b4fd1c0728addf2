#include "pairs/order.h"

#include <stdlib.h>

#include "align/match.h"
#include "base/error.h"
#include "base/rank.h"

static bool add_pair(FvPairOrder *order, int64_t reference, int64_t distorted)
{
    if (order->count == order->room) {
        const int64_t room = order->room ? 2 * order->room : 1024;
        for (int side = 0; side < 2; side++) {
            int64_t *grown = realloc(order->frame[side], (size_t)room * sizeof *grown);
            if (!grown)
                return false;
            order->frame[side] = grown;
        }
        order->room = room;
    }
    order->frame[FV_REFERENCE][order->count] = reference;
    order->frame[FV_DISTORTED][order->count++] = distorted;
    return true;
}

FvStatus fv_pair_order_make(FvPairOrder *order, FvSource *const source[2], const FvAlignment *content, FvError *error)
{
    FvMatch match = {.source = {source[FV_REFERENCE], source[FV_DISTORTED]}, .alignment = content, .last = -1};
    order->count = 0;
    for (int side = 0; side < 2; side++) {
        const FvSourceIndex *index;
        order->sequential |= !source[side] || fv_source_index(source[side], &index, NULL) ||
                             (!content && source[side]->tick_den && !source[side]->index.time);
        if (!order->sequential)
            match.known[side] = (FvMatchTimes){index->frames, source[side]->index.time};
    }
    FvStatus status = order->sequential ? FV_END : FV_OK;
    while (!status) {
        FvFrame *none[2] = {NULL, NULL};
        int64_t number;
        status = fv_match_next(&match, none, &number, NULL);
        if (!status && !add_pair(order, match.last, number))
            return fv_fail_memory(error, (size_t)order->room * sizeof(int64_t));
    }
    order->sequential |=
        status != FV_END; /* matching failed, but some pairs may be readable, so the files are read in order */
    if (order->sequential)
        order->count = 0;
    order->made = true;
    return FV_OK;
}

int64_t fv_pair_order_find(const FvPairOrder *order, int64_t frame)
{
    return fv_rank(order->frame[FV_DISTORTED], order->count, frame);
}

int64_t fv_pair_order_frame(const FvPairOrder *order, int side, int64_t place)
{
    return order->count ? order->frame[side][place] : order->skip[side] + place;
}

int64_t fv_pair_order_number(const FvPairOrder *order, int64_t place)
{
    return order->count ? order->frame[FV_DISTORTED][place] : place;
}

FvStatus fv_pair_order_place(const FvPairOrder *order, int64_t number, int64_t *place)
{
    *place = number;
    if (!order->listed)
        return order->frames && number >= order->frames ? FV_END : FV_OK;
    *place = fv_pair_order_find(order, number);
    if (*place == order->count)
        return FV_END;
    return fv_pair_order_number(order, *place) == number ? FV_OK : FV_ERROR_INPUT;
}

void fv_pair_order_free(FvPairOrder *order)
{
    for (int side = 0; side < 2; side++)
        free(order->frame[side]);
}
