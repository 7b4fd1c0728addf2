#include "align/match.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "input/source.h"
#include "picture/frame.h"

enum { CURRENT, NEXT, OTHER };

__extension__ typedef __int128 Wide;

/* ---- Pairs by content ------------------------------------------------------------------------------------------ */

/*
 * Returns whether a distorted frame is paired. If several frames show one reference frame, only the first is paired.
 */
static bool is_paired(const FvAlignment *alignment, int64_t frame, int64_t last)
{
    return alignment->pairs[frame] > last && alignment->pairs[frame] < alignment->reference_frames;
}

int64_t fv_match_count(const FvMatch *match)
{
    int64_t count = 0, last = -1;
    for (int64_t j = 0; match->alignment && j < match->alignment->pair_count; j++)
        if (is_paired(match->alignment, j, last)) {
            last = match->alignment->pairs[j];
            count++;
        }
    return match->alignment ? count : -1;
}

/* Reads the next frame of a side. Without a reader, only returns whether there is another frame (FV_OK or FV_END). */
static FvStatus next_frame(FvMatch *match, int side, FvFrame **frame, FvError *error)
{
    if (match->reader[side])
        return fv_read_ahead_next(match->reader[side], frame, error);
    return match->read[side] < match->known[side].frames ? FV_OK : FV_END;
}

static FvStatus read_until(FvMatch *match, int side, int64_t number, FvFrame **frame, FvError *error)
{
    FvStatus status = FV_OK;
    while (!status && match->read[side] <= number) {
        fv_frame_unref(frame);
        status = next_frame(match, side, frame, error);
        match->read[side] += !status;
    }
    if (status == FV_END)
        return fv_fail(error, FV_FAIL_CHANGED,
                       "%s changed after it was aligned (%" PRId64 " frames are left); align it again",
                       match->source[side]->info.path, match->read[side]);
    return status;
}

static FvStatus next_by_content(FvMatch *match, FvFrame *frame[2], int64_t *number, FvError *error)
{
    const FvAlignment *alignment = match->alignment;
    int64_t j = match->read[FV_DISTORTED];
    while (j < alignment->pair_count && !is_paired(alignment, j, match->last))
        j++;
    if (j == alignment->pair_count)
        return FV_END;
    *number = j;
    match->last = alignment->pairs[j];
    FvStatus status = read_until(match, FV_REFERENCE, match->last, &frame[FV_REFERENCE], error);
    return status ? status : read_until(match, FV_DISTORTED, j, &frame[FV_DISTORTED], error);
}

/* ---- Pairs by time --------------------------------------------------------------------------------------------- */

/* Returns the seconds of a tick as a fraction. Without time stamps, a tick is a frame at the source's frame rate. */
static bool tick_of(const FvSource *source, int64_t *num, int64_t *den)
{
    const FvFormat *format = &source->info.format;
    *num = source->tick_den ? source->tick_num : format->rate_den;
    *den = source->tick_den ? source->tick_den : format->rate_num;
    return *num > 0 && *den > 0;
}

static bool time_of(const FvMatch *match, int side, FvFrame *frame, int64_t *ticks)
{
    if (match->reader[side])
        return fv_frame_time(frame, ticks);
    if (match->known[side].time)
        *ticks = match->known[side].time[match->read[side]];
    return match->known[side].time;
}

static FvStatus read_timed(FvMatch *match, int side, FvFrame **frame, int64_t before, int64_t *ticks, FvError *error)
{
    const FvSource *source = match->source[side];
    int64_t num, den;
    FvStatus status = next_frame(match, side, frame, error);
    if (status)
        return status;
    *ticks = match->read[side];
    if (!tick_of(source, &num, &den))
        return fv_fail(error, FV_FAIL_ALIGNMENT,
                       "%s has neither time stamps nor a frame rate: pair its frames by index", source->info.path);
    if (source->tick_den && !time_of(match, side, *frame, ticks))
        return fv_fail(error, FV_FAIL_ALIGNMENT, "%s: frame %" PRId64 " has no time stamp: pair its frames by index",
                       source->info.path, match->read[side]);
    if (!match->read[side])
        match->first_ticks[side] = *ticks;
    *ticks -= match->first_ticks[side];
    if (match->read[side] && *ticks <= before)
        return fv_fail(error, FV_FAIL_ALIGNMENT,
                       "%s: frame %" PRId64 " has no later time than the frame before it: pair its frames by "
                       "index",
                       source->info.path, match->read[side]);
    match->read[side]++;
    return FV_OK;
}

static FvStatus read_reference(FvMatch *match, FvError *error)
{
    FvStatus status = match->ended ? FV_END
                                   : read_timed(match, FV_REFERENCE, &match->next, match->ticks[CURRENT],
                                                &match->ticks[NEXT], error);
    match->ended |= status == FV_END;
    match->number[NEXT] = status ? -1 : match->read[FV_REFERENCE] - 1;
    if (!status && match->reader[FV_REFERENCE])
        memcpy(match->signature[NEXT], fv_read_ahead_signature(match->reader[FV_REFERENCE]),
               sizeof match->signature[NEXT]);
    return status == FV_END ? FV_OK : status;
}

/* Returns twice the time between a reference frame and the distorted frame, in a unit that both sides share. */
static Wide distance(const FvMatch *match, int which, const int64_t num[2], const int64_t den[2])
{
    const Wide ref = (Wide)match->ticks[which] * num[FV_REFERENCE] * den[FV_DISTORTED];
    const Wide dis = (Wide)match->ticks[OTHER] * num[FV_DISTORTED] * den[FV_REFERENCE];
    return 2 * (ref > dis ? ref - dis : dis - ref);
}

/* Returns half the duration of a frame, scaled as distance() is. A frame farther away is not shown at that time. */
static Wide half_duration(const FvMatch *match, int64_t duration, const int64_t num[2], const int64_t den[2])
{
    return (Wide)duration * num[FV_REFERENCE] * den[FV_DISTORTED];
}

static FvStatus advance(FvMatch *match, FvError *error)
{
    fv_frame_unref(&match->current);
    match->current = match->next;
    match->number[CURRENT] = match->number[NEXT];
    match->ticks[CURRENT] = match->ticks[NEXT];
    memcpy(match->signature[CURRENT], match->signature[NEXT], sizeof match->signature[CURRENT]);
    match->next = NULL;
    return read_reference(match, error);
}

static FvStatus next_by_time(FvMatch *match, FvFrame *frame[2], int64_t *number, FvError *error)
{
    int64_t num[2], den[2], duration = 0;
    FvStatus status = FV_OK;
    if (!match->begun) {
        match->begun = true;
        match->number[CURRENT] = -1;
        status = read_reference(match, error);
        if (!status && match->number[NEXT] >= 0)
            status = advance(match, error);
    }
    while (!status && match->number[CURRENT] >= 0) {
        fv_frame_unref(&frame[FV_DISTORTED]);
        status =
            read_timed(match, FV_DISTORTED, &frame[FV_DISTORTED], match->ticks[OTHER], &match->ticks[OTHER], error);
        if (status)
            break;
        tick_of(match->source[FV_REFERENCE], &num[FV_REFERENCE], &den[FV_REFERENCE]);
        tick_of(match->source[FV_DISTORTED], &num[FV_DISTORTED], &den[FV_DISTORTED]);
        int64_t steps = 0;
        while (!status && match->number[NEXT] >= 0 &&
               distance(match, NEXT, num, den) < distance(match, CURRENT, num, den)) {
            duration = match->ticks[NEXT] - match->ticks[CURRENT];
            status = advance(match, error);
            steps++;
        }
        if (status)
            break;
        if (match->number[NEXT] >= 0)
            duration = match->ticks[NEXT] - match->ticks[CURRENT];
        *number = match->read[FV_DISTORTED] - 1;
        const bool near = !duration || distance(match, CURRENT, num, den) <= half_duration(match, duration, num, den);
        match->unpaired += !near;
        if (!near)
            continue;
        match->repeats += match->paired && !steps;
        match->drops += steps > 1 ? steps - 1 : 0;
        match->paired++;
        match->early = (Wide)match->ticks[OTHER] * num[FV_DISTORTED] * den[FV_REFERENCE] <
                           (Wide)match->ticks[CURRENT] * num[FV_REFERENCE] * den[FV_DISTORTED] &&
                       4 * distance(match, CURRENT, num, den) > half_duration(match, duration, num, den);
        match->last = match->number[CURRENT];
        frame[FV_REFERENCE] = match->current ? fv_frame_ref(match->current) : NULL;
        return FV_OK;
    }
    fv_frame_unref(&frame[FV_DISTORTED]);
    return status ? status : FV_END;
}

FvStatus fv_match_next(FvMatch *match, FvFrame *frame[2], int64_t *number, FvError *error)
{
    return match->alignment ? next_by_content(match, frame, number, error)
                            : next_by_time(match, frame, number, error);
}

const int32_t *fv_match_signature(const FvMatch *match)
{
    return match->signature[CURRENT];
}

void fv_match_close(FvMatch *match)
{
    fv_frame_unref(&match->current);
    fv_frame_unref(&match->next);
}
