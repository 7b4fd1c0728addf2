/* What a report says of frames that were paired by time or by content. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "score/scoring.h"
#include "session/session.h"

/* What pairs by time have come to. */
FvStatus fv_score_tell_matches(const FvScoring *scoring, FvError *error)
{
    const FvMatch *match = &scoring->match;
    FvPairing *pairing = &fv_session_notes(scoring->session)->pairing;
    if (scoring->params->align != FV_ALIGN_BY_TIME)
        return FV_OK;
    pairing->pairs = match->paired;
    pairing->unpaired = match->unpaired;
    pairing->repeats = match->repeats;
    pairing->drops = match->drops;
    FvStatus status = fv_session_decide(
        scoring->session, error,
        "frames were paired by time, each side's from its first: %lld pairs, %lld distorted frames "
        "without a pair, %lld reference frames repeated and %lld dropped",
        (long long)match->paired, (long long)match->unpaired, (long long)match->repeats, (long long)match->drops);
    if (!status && 100 * match->unpaired > match->paired + match->unpaired)
        status =
            fv_session_doubt(scoring->session, error,
                             "more than 1 %% of the distorted frames have no pair: rates differ although there are "
                             "time stamps; a video that runs faster is paired by index");
    return status;
}

/* Keeps what was found for the report. */
static FvStatus keep_alignment(FvSession *session, const FvAlignment *found, FvError *error)
{
    FvPairing *pairing = &fv_session_notes(session)->pairing;
    const size_t bytes = (size_t)found->event_count * sizeof *found->events;
    pairing->found = *found;
    pairing->found.pairs = NULL;
    pairing->found.events = NULL;
    if (bytes && !(pairing->found.events = malloc(bytes)))
        return fv_fail_memory(error, bytes);
    if (bytes)
        memcpy(pairing->found.events, found->events, bytes);
    pairing->first[FV_REFERENCE] = pairing->first[FV_DISTORTED] = -1;
    for (int64_t j = 0; j < found->pair_count; j++) {
        if (found->pairs[j] < 0 || found->pairs[j] >= found->reference_frames)
            continue;
        int64_t *ends[] = {pairing->first[FV_DISTORTED] < 0 ? pairing->first : pairing->last, pairing->last};
        for (int i = 0; i < 2; i++) {
            ends[i][FV_REFERENCE] = found->pairs[j];
            ends[i][FV_DISTORTED] = j;
        }
    }
    return FV_OK;
}

/* Frames before the first pair and behind the last one. */
static FvStatus tell_unpaired(const FvScoring *scoring, FvError *error)
{
    const FvPairing *pairing = &fv_session_notes(scoring->session)->pairing;
    if (pairing->first[FV_DISTORTED] < 0)
        return FV_OK;
    return fv_session_decide(scoring->session, error,
                             "without a pair at the start are %lld reference and %lld distorted frames, at the end "
                             "%lld and %lld",
                             (long long)pairing->first[FV_REFERENCE], (long long)pairing->first[FV_DISTORTED],
                             (long long)(pairing->found.reference_frames - 1 - pairing->last[FV_REFERENCE]),
                             (long long)(pairing->found.pair_count - 1 - pairing->last[FV_DISTORTED]));
}

/* What was found by content, and how sure it is. */
FvStatus fv_score_tell_alignment(const FvScoring *scoring, FvError *error)
{
    const FvAlignment *found = scoring->params->alignment;
    const bool map = scoring->params->align == FV_ALIGN_BY_CONTENT;
    char base[40] = "index", events[512] = "";
    int dropped = 0, repeated = 0;
    if (!found || scoring->params->align < FV_ALIGN_BY_OFFSET)
        return FV_OK;
    if (found->base)
        snprintf(base, sizeof base, "time, phase %d/8", found->base - 1);
    for (int i = 0; i < found->event_count; i++) {
        const FvAlignEvent *event = &found->events[i];
        const size_t used = strlen(events);
        dropped += event->change > 0 ? event->change : 0;
        repeated -= event->change < 0 ? event->change : 0;
        if (used < sizeof events - 40)
            snprintf(events + used, sizeof events - used, "%s%d %s %d", i ? ", " : ": ",
                     event->change < 0 ? -event->change : event->change,
                     event->change < 0 ? "repeated at" : "dropped at", event->at);
    }
    FvStatus status = keep_alignment(scoring->session, found, error);
    if (status)
        return status;
    status = fv_session_decide(
        scoring->session, error,
        "aligned by content: distorted frame 0 shows reference frame %lld; %d of %d frames lie within the reference, "
        "%d "
        "of them certain (%s by %s, noise %lld, price %lld, residual %lld, far %lld, mixed %d), exact check %d of %d "
        "frames and %d of %d parts",
        (long long)found->offset, found->matched, found->pair_count, found->certain,
        found->constant ? "one offset" : "path", base, (long long)found->noise, (long long)found->price,
        (long long)found->residual, (long long)found->far, found->mixed, found->verified[0], found->verified[1],
        found->parts[0], found->parts[1]);
    if (!status && map)
        status =
            fv_session_decide(scoring->session, error,
                              "%d reference frames are dropped and %d repeated in the distorted video, which these "
                              "scores do not show%s",
                              dropped, repeated, events);
    return status ? status : tell_unpaired(scoring, error);
}
