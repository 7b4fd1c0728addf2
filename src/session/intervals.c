/* Divides the frames of a session into parts that are pooled separately: intervals and scenes. */
#include "session/state.h"

#include "base/error.h"
#include "base/rank.h"

__extension__ typedef __int128 Wide;

/* Returns the number of the interval or the scene that contains a frame. */
static int64_t part_of(const FvSession *session, FvPartKind kind, int64_t frame)
{
    const FvFormat *format = &session->dis;
    if (kind == FV_PARTS_INTERVALS)
        return (int64_t)((Wide)frame * format->rate_den * 1000000 /
                         ((Wide)format->rate_num * session->params.interval));
    return fv_rank(session->facts.scenes.cuts, session->facts.scenes.count, frame + 1);
}

bool fv_session_next_part(const FvSession *session, FvPartKind kind, FvPart *part)
{
    FV_FLOAT_MODE;
    const bool divides =
        session && part && (kind == FV_PARTS_SCENES ? session->params.scenes : session->params.interval);
    if (!divides || (kind == FV_PARTS_INTERVALS && !session->dis.rate_den))
        return false;
    const int64_t first = part->first + part->count;
    if (first < 0 || first >= session->scores.frames)
        return false;
    const int64_t index = part_of(session, kind, session->scores.number[first]);
    int64_t end = first + 1;
    while (end < session->scores.frames && part_of(session, kind, session->scores.number[end]) == index)
        end++;
    *part = (FvPart){first, end - first, session->scores.number[first]};
    return true;
}
