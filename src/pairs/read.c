/* Reading a pair of frames, and what is kept of those on the way to it. */
#include "pairs/state.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define NEAR 8 /* frames */

void fv_pairs_forget(FvPairs *pairs, int count)
{
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&pairs->passed[i].frames[side]);
    pairs->passed_count -= count;
    memmove(pairs->passed, pairs->passed + count, (size_t)pairs->passed_count * sizeof *pairs->passed);
}

static size_t bytes_of(FvFrame *const frames[2])
{
    size_t bytes = 0;
    for (int side = 0; side < 2; side++)
        bytes += frames[side] ? fv_format_bytes(&frames[side]->format) : 0;
    return bytes;
}

/* How many passed pairs of this size may be kept. */
static int most_passed(const FvPairs *pairs, size_t bytes)
{
    const size_t most = bytes ? pairs->room / bytes : 0;
    return most < FV_PAIRS_KEPT ? (int)most : FV_PAIRS_KEPT;
}

/* Takes over the frames. Numbers ascend from one call to the next, or else everything is forgotten first. */
static void keep_passed(FvPairs *pairs, int64_t number, FvFrame *frames[2])
{
    const int most = most_passed(pairs, bytes_of(frames));
    if (pairs->passed_count && pairs->passed[pairs->passed_count - 1].number >= number)
        fv_pairs_forget(pairs, pairs->passed_count);
    if (pairs->passed_count && pairs->passed_count >= most)
        fv_pairs_forget(pairs, pairs->passed_count - most + (most > 0));
    if (most)
        pairs->passed[pairs->passed_count++] = (FvPassedPair){number, {frames[REFERENCE], frames[DISTORTED]}};
    else
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&frames[side]);
    frames[REFERENCE] = frames[DISTORTED] = NULL;
}

static bool find_passed(const FvPairs *pairs, int64_t number, FvFrame *frames[2])
{
    for (int i = 0; i < pairs->passed_count; i++)
        if (pairs->passed[i].number == number) {
            for (int side = 0; side < 2; side++)
                frames[side] = pairs->passed[i].frames[side] ? fv_frame_ref(pairs->passed[i].frames[side]) : NULL;
            return true;
        }
    return false;
}

/*
 * Before the frame of this number, or so near before it that reading on is faster than entering the file anew.
 * Damaged files may have no index: they are read from their beginning.
 */
static FvStatus go_to(FvPairs *pairs, int side, int64_t number, FvError *error)
{
    const FvSourceIndex *index;
    FvSource **source = &pairs->source[side];
    if (!pairs->stale && (*source)->next <= number && number - (*source)->next < NEAR)
        return FV_OK;
    FvStatus status = fv_source_index(*source, &index, error);
    if (!status)
        return number < index->frames ? fv_source_seek(*source, number, error) : FV_END;
    if (fv_cancel_requested(pairs->file[side].cancel))
        return status;
    fv_source_close(source);
    return fv_source_open(source, &pairs->file[side], error);
}

/* From which frame on one side has to be decoded anyway to get at a frame; itself where that cannot be told at once.
 */
static int64_t first_on_the_way(const FvPairs *pairs, int side, int64_t frame)
{
    const FvSource *source = pairs->source[side];
    int64_t first = frame;
    if (source->has_index && source->index.entries)
        first = source->index.entries[fv_index_entry(&source->index, frame)];
    const bool on = !pairs->stale && source->next <= frame && (source->next >= first || frame - source->next < NEAR);
    return on ? source->next : first;
}

int64_t fv_pairs_near(FvPairs *pairs, int64_t number)
{
    const FvSourceIndex *index;
    if (!pairs || number < 0 || number > INT64_MAX / 2 || (fv_pairs_match(pairs) && !pairs->plan.count))
        return number;
    FvSource *source = pairs->source[DISTORTED];
    if (!source || fv_source_index(source, &index, NULL) || !index->entries)
        return number;
    const int64_t skip = fv_pairs_match(pairs) ? 0 : pairs->skip[DISTORTED];
    const int64_t near = index->entries[fv_index_entry(&source->index, number + skip)];
    if (!fv_pairs_match(pairs))
        return near < skip ? number : near - skip;
    const int64_t place = fv_pairs_find(&pairs->plan, near);
    return place < pairs->plan.count && fv_pairs_number_at(pairs, place) < number ? fv_pairs_number_at(pairs, place)
                                                                                  : number;
}

/* One side of the pairs from one place to another. */
typedef struct Pass {
    FvPairs *pairs;
    int side;
    int64_t from, to;
    FvFrame **frames; /* of each of them */
    FvStatus status;
    FvError error;
} Pass;

/* Some pairs in a row may have the same frame of the reference. */
static void pass_one(Pass *own, int64_t place)
{
    FvPairs *pairs = own->pairs;
    FvFrame **frame = &own->frames[place - own->from];
    const int64_t wanted = fv_pairs_frame_at(pairs, own->side, place);
    if (place > own->from && wanted == fv_pairs_frame_at(pairs, own->side, place - 1)) {
        *frame = fv_frame_ref(frame[-1]);
        return;
    }
    while (!own->status && pairs->source[own->side]->next <= wanted) {
        fv_frame_unref(frame);
        own->status = fv_source_read(pairs->source[own->side], frame, &own->error);
    }
    if (!own->status && pairs->preparation[own->side])
        own->status = fv_prepare_run(pairs->preparation[own->side], frame, &own->error);
}

static void *pass(void *opaque)
{
    Pass *own = opaque;
    own->status = go_to(own->pairs, own->side, fv_pairs_frame_at(own->pairs, own->side, own->from), &own->error);
    for (int64_t place = own->from; place <= own->to && !own->status; place++)
        pass_one(own, place);
    return NULL;
}

/* Both sides side by side. The reference's failure is the one that is told. */
static FvStatus pass_both(FvPairs *pairs, int64_t from, int64_t to, FvFrame **frames[2], FvError *error)
{
    Pass passes[2];
    pthread_t thread;
    bool beside = false;
    for (int side = 0; side < 2; side++)
        passes[side] = (Pass){pairs, side, from, to, frames[side], FV_OK, {.status = FV_OK}};
    if (pairs->file[REFERENCE].path) {
        beside = !pthread_create(&thread, NULL, pass, &passes[REFERENCE]);
        if (!beside)
            pass(&passes[REFERENCE]);
    }
    if (beside || !passes[REFERENCE].status)
        pass(&passes[DISTORTED]);
    if (beside)
        pthread_join(thread, NULL);
    const Pass *failed = passes[REFERENCE].status ? &passes[REFERENCE] : &passes[DISTORTED];
    if (failed->status && error)
        *error = failed->error;
    return failed->status;
}

static FvStatus read_by_index(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    int64_t place;
    FvStatus status = fv_pairs_find_place(pairs, number, &place, error);
    if (status)
        return status;
    const bool back = number < pairs->asked && pairs->asked - number <= NEAR;
    int64_t from = back ? place - most_passed(pairs, pairs->pair_bytes) : place;
    from = from > 0 ? from : 0;
    for (int side = 0; side < 2 && from < place; side++) {
        if (!pairs->file[side].path)
            continue;
        const int64_t first = first_on_the_way(pairs, side, fv_pairs_frame_at(pairs, side, place));
        while (from < place && fv_pairs_frame_at(pairs, side, from) < first)
            from++;
    }
    if (from < place)
        fv_pairs_forget(pairs, pairs->passed_count); /* now, so that their memory is used again */
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
            keep_passed(pairs, fv_pairs_number_at(pairs, from + (int64_t)i), pair);
        for (int side = 0; side < 2 && status; side++)
            fv_frame_unref(&pair[side]);
    }
    free(all);
    pairs->stale = status != FV_OK; /* where the sources are depends on what failed */
    return status;
}

static FvStatus begin_matching(FvPairs *pairs, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        FvReading reading = {.source = pairs->source[side], .preparation = pairs->preparation[side]};
        status = fv_reader_open(&pairs->reader[side], &reading, false, error);
    }
    pairs->match = (FvMatch){
        .reader = {pairs->reader[REFERENCE], pairs->reader[DISTORTED]},
        .source = {pairs->source[REFERENCE], pairs->source[DISTORTED]},
        .alignment = pairs->params.align == FV_ALIGN_BY_CONTENT ? pairs->params.alignment : NULL,
        .last = -1,
    };
    return status;
}

static FvStatus read_by_match(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    FvStatus status = number < pairs->next || pairs->stale ? fv_pairs_open_again(pairs, error) : FV_OK;
    if (!status && !pairs->reader[DISTORTED])
        status = begin_matching(pairs, error);
    while (!status && pairs->next <= number) {
        int64_t found = 0;
        if (frames[DISTORTED])
            keep_passed(pairs, pairs->next - 1, frames);
        status = fv_match_next(&pairs->match, frames, &found, error);
        if (!status)
            pairs->next = found + 1;
    }
    if (!status && pairs->next != number + 1)
        status = fv_pairs_fail_unpaired(pairs, number, error);
    pairs->stale = status != FV_OK;
    return status;
}

FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    FV_REQUIRE(error, frames);
    frames[REFERENCE] = frames[DISTORTED] = NULL;
    FV_REQUIRE(error, pairs);
    if (number < 0 || number > INT64_MAX / 2)
        return fv_fail(error, FV_ERROR_USAGE, "fv_pairs_read: there is no frame %" PRId64, number);
    FvStatus status = fv_pairs_match(pairs) && !pairs->plan.made ? fv_pairs_make_plan(pairs, error) : FV_OK;
    if (status)
        return status;
    if (!find_passed(pairs, number, frames))
        status = pairs->plan.sequential ? read_by_match(pairs, number, frames, error)
                                        : read_by_index(pairs, number, frames, error);
    pairs->asked = number;
    if (!status || status == FV_ERROR_INPUT) {
        FvStatus changed = fv_pairs_check_files(pairs, error);
        status = changed ? changed : status;
    }
    if (!status) {
        pairs->pair_bytes = bytes_of(frames);
        return FV_OK;
    }
    fv_frame_unref(&frames[REFERENCE]);
    fv_frame_unref(&frames[DISTORTED]);
    return status;
}
