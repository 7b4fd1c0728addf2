/*
 * Records facts from the packets of the scored frames: bit rates, the size of each frame's packet, and varying frame
 * times.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "session/state.h"

#define MOST ((int64_t)1 << 32) /* limit of a packet's bytes: more than any container allows */

static const int64_t *times_of(const FvPacketList *list)
{
    const int64_t *time = list->index->time ? list->index->time : list->index->place;
    return list->tick_den ? time : NULL;
}

/* Returns the duration of a frame in seconds, by the frame rate; 0: unknown. */
static double seconds_a_frame(const FvSourceInfo *info)
{
    return info->format.rate_den ? (double)info->format.rate_den / info->format.rate_num : 0;
}

/*
 * Returns the duration of frames [first, last] in seconds, by the frame rate, or by their times if these contradict
 * the rate; 0: unknown.
 */
static double duration(const FvSourceInfo *info, const FvPacketList *list, int64_t first, int64_t last)
{
    const int64_t *time = times_of(list);
    const double count = (double)(last - first + 1), frame = seconds_a_frame(info);
    if (!time || last == first || time[last] <= time[first])
        return count * frame;
    const double tick = (double)list->tick_num / list->tick_den;
    const double between = ((double)time[last] - (double)time[first]) * tick / (count - 1);
    const bool agrees = fabs(between - frame) * (count - 1) <= 2 * tick + count * info->rate_error;
    return count * (agrees ? frame : between);
}

/* Returns the bits per second of frames [first, last]; NaN: unknown, as for a picture file. */
static double bit_rate(const FvSourceInfo *info, const FvPacketList *list, int64_t first, int64_t last)
{
    const int64_t *packets = list->index->packets;
    const double seconds = duration(info, list, first, last);
    double bytes = 0;
    for (int64_t i = first; i <= last; i++)
        bytes += (double)(packets[i] >> 1);
    return seconds > 0 && list->index->shown.frames > 1 ? 8 * bytes / seconds : NAN;
}

static bool fits(const FvPacketList *list, int64_t first, int64_t last)
{
    const int64_t *packets = list->index->packets;
    bool good = packets && first >= 0 && last < list->index->shown.frames;
    for (int64_t i = first; i <= last && good; i++)
        good = packets[i] >= 0 && packets[i] < 2 * MOST;
    return good;
}

/* Records the times of the scored frames if they differ from those of a constant frame rate. */
static FvStatus note_times(FvFacts *facts, const FvScores *scores, const FvPacketList *list, FvError *error)
{
    const FvSourceInfo *info = &facts->distorted.info;
    const int64_t *time = times_of(list);
    const double frame = seconds_a_frame(info), tick = time ? (double)list->tick_num / list->tick_den : 0;
    bool varies = false;
    if (!time || !(frame > 0))
        return FV_OK;
    double *seconds = malloc((size_t)scores->frames * sizeof *seconds);
    if (!seconds)
        return fv_fail_memory(error, (size_t)scores->frames * sizeof *seconds);
    for (int64_t i = 0; i < scores->frames; i++) {
        const int64_t place = scores->number[i] + list->skip;
        seconds[i] = ((double)time[place] - (double)time[0]) * tick;
        varies |= fabs(seconds[i] - (double)place * frame) > 2 * tick + (double)place * info->rate_error;
    }
    if (varies)
        facts->times = seconds;
    else
        free(seconds);
    return FV_OK;
}

FvStatus fv_session_note_packets(FvSession *session, FvSide side, const FvPacketList *list, FvError *error)
{
    FvFacts *facts = &session->facts;
    const FvScores *scores = &session->scores;
    FvInput *input = side == FV_DISTORTED ? &facts->distorted : &facts->reference;
    if (!scores->frames || !input->present)
        return FV_OK;
    const int64_t first = scores->number[0] + list->skip, last = scores->number[scores->frames - 1] + list->skip;
    if (!fits(list, first, last))
        return FV_OK;
    input->bit_rate = bit_rate(&input->info, list, first, last);
    if (side == FV_REFERENCE)
        return FV_OK;
    facts->packets = malloc((size_t)scores->frames * sizeof *facts->packets);
    if (!facts->packets)
        return fv_fail_memory(error, (size_t)scores->frames * sizeof *facts->packets);
    for (int64_t i = 0; i < scores->frames; i++)
        facts->packets[i] = list->index->packets[scores->number[i] + list->skip];
    return note_times(facts, scores, list, error);
}

double fv_session_bit_rate(const FvSession *session, FvSide side)
{
    FV_FLOAT_MODE;
    const FvInput *input = !session ? NULL : side ? &session->facts.distorted : &session->facts.reference;
    return input && input->present ? input->bit_rate : NAN;
}

bool fv_session_packet(const FvSession *session, int64_t frame, int64_t *bytes, bool *key)
{
    const bool known = session && session->facts.packets && frame >= 0 && frame < session->scores.frames;
    const int64_t packet = known ? session->facts.packets[frame] : 0;
    if (bytes)
        *bytes = packet >> 1;
    if (key)
        *key = packet & 1;
    return known;
}
