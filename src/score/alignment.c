/* Records for the report how frames were paired by time or by content. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "score/scoring.h"
#include "session/session.h"

/* Records how many frames were paired by time. */
FvStatus fv_score_tell_matches(const FvScoring *scoring, FvError *error)
{
    const FvMatch *match = &scoring->match;
    if (scoring->params->align != FV_ALIGN_BY_TIME)
        return FV_OK;
    FvStatus status = fv_session_note_pairing(
        scoring->session,
        &(FvPairing){
            .pairs = match->paired, .unpaired = match->unpaired, .repeats = match->repeats, .drops = match->drops},
        error);
    if (!status)
        status = fv_session_decide(
            scoring->session, error,
            "frames were paired by time, each side's from its first: %lld pairs, %lld distorted frames "
            "without a pair, %lld reference frames repeated and %lld dropped",
            (long long)match->paired, (long long)match->unpaired, (long long)match->repeats, (long long)match->drops);
    if (!status && 100 * match->unpaired > match->paired + match->unpaired)
        status =
            fv_session_doubt(scoring->session, &(FvEvent){.kind = "unpaired", .remedy = "align=index"}, error,
                             "more than 1 %% of the distorted frames have no pair: rates differ although there are "
                             "time stamps; a video that runs faster is paired by index");
    return status;
}

/* The first and the last pair of an alignment. */
static FvPairing pairing_of(const FvAlignment *found)
{
    FvPairing pairing = {.found = *found, .first = {-1, -1}};
    for (int64_t j = 0; j < found->pair_count; j++) {
        if (found->pairs[j] < 0 || found->pairs[j] >= found->reference_frames)
            continue;
        int64_t *ends[] = {pairing.first[FV_DISTORTED] < 0 ? pairing.first : pairing.last, pairing.last};
        for (int i = 0; i < 2; i++) {
            ends[i][FV_REFERENCE] = found->pairs[j];
            ends[i][FV_DISTORTED] = j;
        }
    }
    return pairing;
}

/* Records the alignment that was found by content, and how certain it is. */
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
    const FvPairing pairing = pairing_of(found);
    FvStatus status = fv_session_note_pairing(scoring->session, &pairing, error);
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
    if (status || pairing.first[FV_DISTORTED] < 0)
        return status;
    return fv_session_decide(scoring->session, error,
                             "without a pair at the start are %lld reference and %lld distorted frames, at the end "
                             "%lld and %lld",
                             (long long)pairing.first[FV_REFERENCE], (long long)pairing.first[FV_DISTORTED],
                             (long long)(found->reference_frames - 1 - pairing.last[FV_REFERENCE]),
                             (long long)(found->pair_count - 1 - pairing.last[FV_DISTORTED]));
}
