/* Passes the packets of the scored frames to the session. */
#include "input/source.h"
#include "score/scoring.h"

/*
 * Returns whether the time of the last frame read equals the one in the index; otherwise frames and packets do not
 * correspond.
 */
static bool agrees(const FvScoring *scoring, int side, const FvIndex *index)
{
    const int64_t frame = scoring->latest + scoring->begun[side] + scoring->skip[side];
    return !scoring->timed[side] || !index->time ||
           (frame < index->shown.frames && index->time[frame] == scoring->ticks[side]);
}

FvStatus fv_score_note_packets(const FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        FvSource *source = scoring->source[side];
        const int64_t skip = scoring->begun[side] + scoring->skip[side];
        FvIndex index;
        /* If frames do not pair by index, the reference's frames are not those of consecutive packets. */
        if (!source || !fv_session_frames(scoring->session) || (side == FV_REFERENCE && fv_scoring_matches(scoring)))
            continue;
        status = fv_source_packets(source, &index, error);
        if (!status && index.packets && agrees(scoring, side, &index))
            status = fv_session_note_packets(
                scoring->session, (FvSide)side,
                &(FvPacketList){
                    .index = &index, .skip = skip, .tick_num = source->tick_num, .tick_den = source->tick_den},
                error);
        fv_index_free(&index);
    }
    return status;
}
