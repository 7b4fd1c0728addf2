/* Reads a pair of frames: both files at the same time, from the nearest frame at which decoding can begin. */
#include "pairs/state.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "os/cancel.h"
#include "os/memory.h"
#include "os/thread.h"

#define NEAR 8 /* maximum distance, in frames, over which a file is read instead of sought */

/*
 * Positions the source at frame `number`, or at most NEAR frames before it, where reading on is faster than seeking.
 * A damaged file may have no index; it is opened again and read from its start.
 */
static FvStatus go_to(FvPairs *pairs, int side, int64_t number, FvError *error)
{
    const FvSourceIndex *index;
    FvSource **source = &pairs->files.source[side];
    if (!pairs->stale && (*source)->next <= number && number - (*source)->next < NEAR)
        return FV_OK;
    FvStatus status = fv_source_index(*source, &index, error);
    if (!status)
        return number < index->frames ? fv_source_seek(*source, number, error) : FV_END;
    if (fv_cancel_requested(pairs->files.params[side].cancel))
        return status;
    const FvSourceInfo before = *fv_source_info(*source);
    fv_source_close(source);
    status = fv_source_open(source, &pairs->files.params[side], error);
    if (!status && before.rgb)
        fv_source_convert_rgb(*source, before.format.matrix, before.rgb_matrix);
    return status;
}

/* Returns the first frame that must be decoded to reach `frame`; if the index does not state it, `frame` itself. */
static int64_t first_on_the_way(const FvPairs *pairs, int side, int64_t frame)
{
    const FvSource *source = pairs->files.source[side];
    int64_t first = frame;
    if (source->has_index && source->index.entries)
        first = source->index.entries[fv_index_entry(&source->index, frame)];
    const bool on = !pairs->stale && source->next <= frame && (source->next >= first || frame - source->next < NEAR);
    return on ? source->next : first;
}

int64_t fv_pairs_nearest_entry(FvPairs *pairs, int64_t number)
{
    const FvSourceIndex *index;
    if (!pairs || number < 0 || number > INT64_MAX / 2 || (pairs->order.listed && !pairs->order.count))
        return number;
    FvSource *source = pairs->files.source[FV_DISTORTED];
    if (!source || fv_source_index(source, &index, NULL) || !index->entries)
        return number;
    const int64_t skip = pairs->order.listed ? 0 : pairs->order.skip[FV_DISTORTED];
    const int64_t near = index->entries[fv_index_entry(&source->index, number + skip)];
    if (!pairs->order.listed)
        return near < skip ? number : near - skip;
    const int64_t place = fv_pair_order_find(&pairs->order, near);
    return place < pairs->order.count && fv_pair_order_number(&pairs->order, place) < number
               ? fv_pair_order_number(&pairs->order, place)
               : number;
}

/* One side of the pairs at places [from, to], which its own thread reads. */
typedef struct Pass {
    FvPairs *pairs;
    int side;
    int64_t from, to;
    FvFrame **frames; /* results, one for each place */
    FvStatus status;
    FvError error;
} Pass;

/* Reads and prepares the frame of one pair. Successive pairs may share a reference frame, which is read once. */
static void pass_one(Pass *own, int64_t place)
{
    FvPairs *pairs = own->pairs;
    FvFrame **frame = &own->frames[place - own->from];
    const int64_t wanted = fv_pair_order_frame(&pairs->order, own->side, place);
    if (place > own->from && wanted == fv_pair_order_frame(&pairs->order, own->side, place - 1)) {
        *frame = fv_frame_ref(frame[-1]);
        return;
    }
    while (!own->status && pairs->files.source[own->side]->next <= wanted) {
        fv_frame_unref(frame);
        own->status = fv_source_read(pairs->files.source[own->side], frame, &own->error);
    }
    if (!own->status)
        own->status = fv_variants_prepare(pairs->variants[own->side], pairs->preparation[own->side],
                                          &pairs->format[own->side], frame, &own->error);
}

static void pass(void *opaque)
{
    Pass *own = opaque;
    own->status =
        go_to(own->pairs, own->side, fv_pair_order_frame(&own->pairs->order, own->side, own->from), &own->error);
    for (int64_t place = own->from; place <= own->to && !own->status; place++)
        pass_one(own, place);
}

/* Reads both sides at the same time. If both fail, the reference's failure is returned. */
static FvStatus pass_both(FvPairs *pairs, int64_t from, int64_t to, FvFrame **frames[2], FvError *error)
{
    Pass passes[2];
    FvThread thread = {.running = false};
    for (int side = 0; side < 2; side++)
        passes[side] = (Pass){pairs, side, from, to, frames[side], FV_OK, {.status = FV_OK}};
    if (pairs->files.params[FV_REFERENCE].path && !fv_thread_start(&thread, pass, &passes[FV_REFERENCE]))
        pass(&passes[FV_REFERENCE]);
    if (thread.running || !passes[FV_REFERENCE].status)
        pass(&passes[FV_DISTORTED]);
    fv_thread_join(&thread);
    const Pass *failed = passes[FV_REFERENCE].status ? &passes[FV_REFERENCE] : &passes[FV_DISTORTED];
    if (failed->status && error)
        *error = failed->error;
    return failed->status;
}

static FvStatus fail_unpaired(const FvPairs *pairs, int64_t number, FvError *error)
{
    return fv_fail(error, FV_FAIL_ALIGNMENT, "frame %" PRId64 " of %s has no pair", number,
                   pairs->files.source[FV_DISTORTED]->info.path);
}

static FvStatus read_by_index(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    int64_t place;
    FvStatus status = fv_pair_order_place(&pairs->order, number, &place);
    if (status)
        return status == FV_END ? status : fail_unpaired(pairs, number, error);
    const bool back = number < pairs->asked && pairs->asked - number <= NEAR;
    int64_t from = back ? place - fv_passed_most(&pairs->passed, pairs->pair_bytes) : place;
    from = from > 0 ? from : 0;
    for (int side = 0; side < 2 && from < place; side++) {
        if (!pairs->files.params[side].path)
            continue;
        const int64_t first = first_on_the_way(pairs, side, fv_pair_order_frame(&pairs->order, side, place));
        while (from < place && fv_pair_order_frame(&pairs->order, side, from) < first)
            from++;
    }
    if (from < place)
        fv_passed_drop_all(&pairs->passed); /* dropped before reading, so that their memory is reused */
    const size_t count = (size_t)(place - from + 1);
    FvFrame **all = fv_alloc_zero(2 * count * sizeof(FvFrame *));
    if (!all)
        return fv_fail_memory(error, 2 * count * sizeof(FvFrame *));
    status = pass_both(pairs, from, place, (FvFrame * *[2]){all, all + count}, error);
    for (size_t i = 0; i < count; i++) {
        FvFrame *pair[2] = {all[i], all[count + i]};
        if (i + 1 == count && !status)
            memcpy(frames, pair, sizeof pair);
        else if (!status)
            fv_passed_keep(&pairs->passed, fv_pair_order_number(&pairs->order, from + (int64_t)i), pair);
        for (int side = 0; side < 2 && status; side++)
            fv_frame_unref(&pair[side]);
    }
    fv_free(all);
    pairs->stale = status != FV_OK; /* after a failure the positions of the sources are unknown */
    return status;
}

static FvStatus reopen(FvPairs *pairs, FvError *error)
{
    fv_pairs_end_matching(pairs);
    FvStatus status = fv_pair_files_reopen(&pairs->files, error);
    pairs->stale = status != FV_OK;
    return status;
}

static FvStatus begin_matching(FvPairs *pairs, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        FvReadAheadParams reading = {.source = pairs->files.source[side],
                                     .preparation = pairs->preparation[side],
                                     .variants = pairs->variants[side],
                                     .tags = &pairs->format[side]};
        status = fv_read_ahead_open(&pairs->reader[side], &reading, false, error);
    }
    pairs->match = (FvMatch){
        .reader = {pairs->reader[FV_REFERENCE], pairs->reader[FV_DISTORTED]},
        .source = {pairs->files.source[FV_REFERENCE], pairs->files.source[FV_DISTORTED]},
        .alignment = pairs->content,
        .last = -1,
    };
    return status;
}

static FvStatus read_by_match(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    FvStatus status = number < pairs->next || pairs->stale ? reopen(pairs, error) : FV_OK;
    if (!status && !pairs->reader[FV_DISTORTED])
        status = begin_matching(pairs, error);
    while (!status && pairs->next <= number) {
        int64_t found = 0;
        if (frames[FV_DISTORTED])
            fv_passed_keep(&pairs->passed, pairs->next - 1, frames);
        status = fv_match_next(&pairs->match, frames, &found, error);
        if (!status)
            pairs->next = found + 1;
    }
    if (!status && pairs->next != number + 1)
        status = fail_unpaired(pairs, number, error);
    pairs->stale = status != FV_OK;
    return status;
}

FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frames);
    frames[FV_REFERENCE] = frames[FV_DISTORTED] = NULL;
    FV_REQUIRE(error, pairs);
    if (number < 0 || number > INT64_MAX / 2)
        return fv_fail(error, FV_ERROR_USAGE, "fv_pairs_read: there is no frame %" PRId64, number);
    FvStatus status = pairs->order.listed && !pairs->order.made
                          ? fv_pair_order_make(&pairs->order, pairs->files.source, pairs->content, error)
                          : FV_OK;
    if (status)
        return status;
    if (!fv_passed_find(&pairs->passed, number, frames))
        status = pairs->order.sequential ? read_by_match(pairs, number, frames, error)
                                         : read_by_index(pairs, number, frames, error);
    pairs->asked = number;
    if (!status || status == FV_ERROR_INPUT) {
        FvStatus changed = fv_pair_files_check(&pairs->files, error);
        status = changed ? changed : status;
    }
    if (!status) {
        pairs->pair_bytes = fv_pair_bytes(frames);
        return FV_OK;
    }
    fv_frame_unref(&frames[FV_REFERENCE]);
    fv_frame_unref(&frames[FV_DISTORTED]);
    return status;
}
