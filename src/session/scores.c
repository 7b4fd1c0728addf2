/* Access for callers to the scores of a session and to the terms that they were computed from. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rank.h"
#include "base/timecode.h"
#include "session/state.h"

const FvFormat *fv_session_format(const FvSession *session, FvSide side)
{
    if (!session || !session->scores.columns)
        return NULL;
    return side == FV_DISTORTED ? &session->dis : session->has_reference ? &session->ref : NULL;
}

int64_t fv_session_frames(const FvSession *session)
{
    return session ? session->scores.frames : 0;
}

int64_t fv_session_frame_number(const FvSession *session, int64_t frame)
{
    return session && frame >= 0 && frame < session->scores.frames ? session->scores.number[frame] : -1;
}

int fv_session_outputs(const FvSession *session)
{
    return session ? session->scores.column_count : 0;
}

/* The output "low_seconds", which no metric computes: the duration of the frames that the verdict calls low. */
static const FvOutputInfo low_seconds = {.name = "low_seconds",
                                         .unit = "s",
                                         .maximum = INFINITY,
                                         .better = FV_LOWER_IS_BETTER,
                                         .sequence = true,
                                         .help = "seconds of the clip that its verdict counts as low"};

int fv_session_find_output(const FvSession *session, const char *name)
{
    for (int i = 0; name && i < fv_session_outputs(session); i++)
        if (!strcmp(session->scores.columns[i].info.name, name))
            return i;
    return session && name && !strcmp(name, low_seconds.name) ? FV_LOW_SECONDS : -1;
}

const FvOutputInfo *fv_session_output(const FvSession *session, int output)
{
    if (session && output == FV_LOW_SECONDS)
        return &low_seconds;
    return session && output >= 0 && output < session->scores.column_count ? &session->scores.columns[output].info
                                                                           : NULL;
}

const FvOutputInfo *fv_session_output_origin(const FvSession *session, int output, int *metric)
{
    if (!session || output < 0 || output >= session->scores.column_count)
        return NULL;
    const FvColumn *column = &session->scores.columns[output];
    const FvMetricInstance *run = &session->metrics.run[column->metric];
    if (metric)
        *metric = column->metric;
    return run->outputs == run->metric->info.outputs ? &run->outputs[column->output] : NULL;
}

double fv_session_value(const FvSession *session, int64_t frame, int output)
{
    if (!session || output < 0 || output >= session->scores.column_count)
        return NAN;
    if (session->scores.columns[output].info.sequence)
        return session->scores.columns[output].sequence;
    return frame >= 0 && frame < session->scores.frames
               ? session->scores.values[frame * session->scores.column_count + output]
               : NAN;
}

int fv_session_terms(const FvSession *session)
{
    return session ? session->scores.rows.width : 0;
}

const FvTermInfo *fv_session_term(const FvSession *session, int term, const char **feature)
{
    for (int r = 0; session && r < session->runs.count && term >= 0; r++) {
        const FvFeatureInstance *run = &session->runs.run[r];
        int i = term - session->scores.rows.offset[r];
        if (!session->scores.rows.width || !session->metrics.wanted[r] || i < 0 || i >= run->term_count)
            continue;
        if (feature)
            *feature = run->feature->name;
        return &run->feature->terms_info[i];
    }
    return NULL;
}

int64_t fv_session_rows(const FvSession *session)
{
    return session ? session->scores.rows.count : 0;
}

const FvTerm *fv_session_row(const FvSession *session, int64_t row, int64_t *number, bool *skipped)
{
    if (!session || row < 0 || row >= session->scores.rows.count)
        return NULL;
    const FvRowTable *rows = &session->scores.rows;
    if (number)
        *number = rows->number[row];
    if (skipped)
        *skipped = rows->skipped[row];
    return rows->terms + row * rows->width;
}

/* Returns the index, from 0, of the frame with this number in the file of the distorted video; NaN: unknown. */
static double place_of(const FvSession *session, int64_t number)
{
    const FvFormat *format = session && session->scores.columns ? &session->dis : NULL;
    if (!format || !format->rate_den)
        return NAN;
    const FvScoreParams *score = &session->facts.score;
    const double rate = (double)format->rate_num / format->rate_den;
    const int64_t offset = score->align == FV_ALIGN_BY_OFFSET ? session->facts.pairing.found.offset : 0;
    const int64_t skipped = score->skip_distorted + (offset < 0 ? -offset : 0);
    const double before = ceil((double)score->start / 1e6 * rate - 1e-6); /* number of frames before the start */
    return (double)(number + skipped) + before;
}

/* Returns the index of the scored frame with this number; -1: none. */
static int64_t frame_with(const FvScores *scores, int64_t number)
{
    const int64_t frame = fv_rank(scores->number, scores->frames, number);
    return frame < scores->frames && scores->number[frame] == number ? frame : -1;
}

double fv_session_time(const FvSession *session, int64_t number)
{
    FV_FLOAT_MODE;
    const double place = place_of(session, number);
    const int64_t frame = session && session->facts.times ? frame_with(&session->scores, number) : -1;
    if (frame >= 0)
        return session->facts.times[frame];
    return isnan(place) ? NAN : place / ((double)session->dis.rate_num / session->dis.rate_den);
}

bool fv_session_timecode(const FvSession *session, int64_t number, char text[FV_TIMECODE_TEXT])
{
    const FvTimecode none = {0};
    const double place = place_of(session, number);
    const bool known = !isnan(place);
    fv_timecode_write(known ? &session->facts.distorted.info.timecode : &none, known ? (int64_t)place : 0, text);
    return *text;
}
