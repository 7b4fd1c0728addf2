/* Records for the report how frames were paired by time or by content. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/follow.h"
#include "base/error.h"
#include "score/scoring.h"
#include "session/session.h"

/* Returns the prefix of a decision: "pairing: " if some frames have no score, so that results print it; else "". */
static const char *mark_of(bool leaves_out)
{
    return leaves_out ? "pairing: " : "";
}

/* Records how many frames were paired by time. */
FvStatus fv_score_report_matches(const FvScoring *scoring, FvError *error)
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
            "%sframes were paired by time, each side's from its first: %lld pairs, %lld distorted frames "
            "without a pair, %lld reference frames repeated and %lld dropped",
            mark_of(match->unpaired || match->repeats || match->drops), (long long)match->paired,
            (long long)match->unpaired, (long long)match->repeats, (long long)match->drops);
    if (!status && 100 * match->unpaired > match->paired + match->unpaired)
        status = fv_session_warn_mismatch(
            scoring->session, &(FvEvent){.kind = "unpaired", .remedy = "align=index"}, error,
            "more than 1 %% of the distorted frames have no pair: rates differ although there are "
            "time stamps; a video that runs faster is paired by index");
    return status;
}

/* Returns the pairing of an alignment, with its first and its last pair. */
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

/*
 * The frames that the distorted video drops and repeats. Neighbouring frames that are repeated equally often are one
 * place.
 */
typedef struct Changes {
    int dropped, repeated;
    char places[512]; /* ": 4 dropped at 30, 12 repeated at 40 to 51" */
} Changes;

/*
 * Collects the drops and repeats of an alignment. A frame that is repeated at least FV_FOLLOW_LEAST_STILL times is
 * recorded as a freeze, as in the sync check, because its repeats have no pair and so do not lower any score.
 */
static FvStatus collect_changes(const FvScoring *scoring, const FvAlignment *found, Changes *changes, FvError *error)
{
    FvStatus status = FV_OK;
    *changes = (Changes){0};
    for (int i = 0, next; i < found->event_count && !status; i = next) {
        const FvAlignEvent *event = &found->events[i];
        for (next = i + 1; next < found->event_count && event->change < 0 &&
                           found->events[next].change == event->change &&
                           found->events[next].at == found->events[next - 1].at + 1;)
            next++;
        const int count = (next - i) * abs(event->change), last = event[next - i - 1].at;
        const size_t used = strlen(changes->places);
        *(event->change < 0 ? &changes->repeated : &changes->dropped) += count;
        if (used < sizeof changes->places - 60) {
            char *end = changes->places + used;
            end += sprintf(end, "%s%d %s %d", i ? ", " : ": ", count,
                           event->change < 0 ? "repeated at" : "dropped at", event->at);
            if (last > event->at)
                sprintf(end, " to %d", last);
        }
        if (event->change < 0 && last - event->at + 1 >= FV_FOLLOW_LEAST_STILL)
            status = fv_session_warn_mismatch(
                scoring->session,
                &(FvEvent){.kind = "frozen",
                           .sided = true,
                           .side = FV_DISTORTED,
                           .first = event->at,
                           .frames = last - event->at + 1},
                error,
                "the distorted video stands still in frames %d to %d: these frames have no pair, "
                "so the scores do not show it",
                event->at, last);
    }
    return status;
}

/* Records the frames at the start and the end of each side that have no pair. */
static FvStatus report_ends(const FvScoring *scoring, const FvAlignment *found, const FvPairing *pairing,
                            FvError *error)
{
    static const char *const names[] = {"the reference", "the distorted video"};
    const int64_t frames[] = {found->reference_frames, found->pair_count};
    char text[400] = "";
    for (int side = 0; side < 2; side++) {
        const long long first = (long long)pairing->first[side];
        const long long last = (long long)(frames[side] - 1 - pairing->last[side]);
        char *end = text + strlen(text);
        if (!first && !last)
            continue;
        end += sprintf(end, "%s", *text ? ", and " : "");
        if (first)
            end += sprintf(end, "the first %lld%s", first, last ? " and " : "");
        if (last)
            end += sprintf(end, "the last %lld", last);
        sprintf(end, " frames of %s", names[side]);
    }
    return *text ? fv_session_decide(scoring->session, error, "%s%s have no pair", mark_of(true), text)
                 : fv_session_decide(scoring->session, error, "the first and last frames of both sides have a pair");
}

/* Records the alignment that was found by content, and how certain it is. */
FvStatus fv_score_report_alignment(const FvScoring *scoring, FvError *error)
{
    const FvAlignment *found = scoring->params->alignment;
    const bool map = scoring->params->align == FV_ALIGN_BY_CONTENT;
    char base[40] = "index";
    Changes changes;
    if (!found || scoring->params->align < FV_ALIGN_BY_OFFSET)
        return FV_OK;
    if (found->base)
        snprintf(base, sizeof base, "time, phase %d/8", found->base - 1);
    const FvPairing pairing = pairing_of(found);
    FvStatus status = fv_session_note_pairing(scoring->session, &pairing, error);
    if (status)
        return status;
    status = fv_session_decide(
        scoring->session, error,
        "aligned by content: distorted frame 0 shows reference frame %lld; %d of %d frames lie within the reference, "
        "%d of them certain (%s by %s, noise %lld, price %lld, residual %lld, far %lld, mixed %d), exact check %d of "
        "%d frames and %d of %d parts",
        (long long)found->offset, found->matched, found->pair_count, found->certain,
        found->constant ? "one offset" : "path", base, (long long)found->noise, (long long)found->price,
        (long long)found->residual, (long long)found->far, found->mixed, found->verified[0], found->verified[1],
        found->parts[0], found->parts[1]);
    if (!status && map)
        status = collect_changes(scoring, found, &changes, error);
    if (!status && map)
        status = fv_session_decide(scoring->session, error,
                                   "%sthe distorted video drops %d frame%s of the reference and repeats %d, which "
                                   "these scores do not show%s",
                                   mark_of(changes.dropped || changes.repeated), changes.dropped,
                                   changes.dropped == 1 ? "" : "s", changes.repeated, changes.places);
    if (status || pairing.first[FV_DISTORTED] < 0)
        return status;
    return report_ends(scoring, found, &pairing, error);
}
