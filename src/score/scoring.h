/* Two sources that are being scored. */
#pragma once

#include "align/gaps.h"
#include "align/match.h"
#include "align/shift.h"
#include "doubt/looks.h"
#include "input/read_ahead.h"
#include "score/comparison.h"
#include "score/range.h"

typedef struct FvScoring {
    FvSession *session;
    const FvScoreParams *params;
    FvSource *source[2]; /* reference (or NULL), distorted */
    const FvSourceInfo *info[2];
    FvReadAhead *reader[2];
    FvPreparation *preparation[2];             /* NULL: frames are compared as they come */
    FvTwins *twins[2];                         /* NULL: no Y'CbCr is made for metrics that take no RGB */
    bool defers[2];                            /* the device prepares the frames */
    FvFormat format[2];                        /* of the frames that are compared */
    int64_t begun[2];                          /* frames of each source that were read before the scoring */
    int64_t skip[2], frames;                   /* dropped at the start; to be compared, 0: all */
    FvNeed need;                               /* of pairs; the others are passed. By the number of the pair */
    FvMatch match;                             /* for pairs by content or by time */
    int64_t watched;                           /* the reference frame that was watched last, by time */
    bool watches;                              /* pairs are signed: it is looked whether they show the same */
    FvShift shift;                             /* of pairs that are signed, unless a range keeps them */
    struct FvAwaited *awaited, **last_awaited; /* pairs that a device has not signed yet; where the next one goes */
    FvGaps gaps;                               /* in the times of pairs by index */
    bool looks;                                /* pairs are looked at for what tags may have wrong */
    FvLooks looked;                            /* those pairs, unless a range keeps them */
    int64_t latest, ticks[2]; /* of the pair that was read last: its number, and the times of its frames */
    bool timed[2];            /* that have one */
    int64_t read;             /* pairs read after the skipped frames */
    int64_t total;
    bool ended;                     /* every pair was read and scored */
    bool stopped;                   /* by what hears of the progress, before the first pair */
    double started, waited, pushed; /* seconds: of the start; spent waiting for frames, and pushing them */
    double first_came;              /* the time of the first pair */
    FvScoreRange *range;            /* the part of the videos that is scored; NULL: all of them */
    int64_t first_read;             /* the first value of `read` */
} FvScoring;

/* Which frames of a side are needed, by their numbers in its source. */
static inline FvNeed fv_scoring_need(const FvScoring *scoring, int side)
{
    FvNeed need = scoring->need;
    need.first = scoring->begun[side] + scoring->skip[side];
    return need;
}

static inline bool fv_scoring_matches(const FvScoring *scoring)
{
    return scoring->params->align == FV_ALIGN_BY_TIME || scoring->params->align == FV_ALIGN_BY_CONTENT;
}

/* Tells which frames were paired: by time after the last pair, by content before the first (alignment.c). */
FvStatus fv_score_tell_matches(const FvScoring *scoring, FvError *error);
FvStatus fv_score_tell_alignment(const FvScoring *scoring, FvError *error);

/* Fills scoring->total (length.c). Fails where the lengths are unequal for certain, and warns where they seem so. */
FvStatus fv_score_check_length(FvScoring *scoring, FvError *error);

/* Fails with `status`: the videos have this many frames to compare; below 0: more than were read. */
FvStatus fv_score_fail_length(const FvScoring *scoring, int64_t ref, int64_t dis, FvStatus status, FvError *error);

/* After the end of the session: the packets of the frames that it scored (packets.c). */
FvStatus fv_score_note_packets(const FvScoring *scoring, FvError *error);

/* Whether the intervals and scenes of the report can be found in the distorted video at `path` (sync_check.c). */
FvStatus fv_score_check_watch(const FvSession *session, const char *path, const FvFormat *dis, FvError *error);

/* Scenes and shifts, found in the frames as they pass: before the first pair, for each pair, after the last one. */
FvStatus fv_score_open_watch(FvScoring *scoring, const FvComparison *comparison, FvError *error);
FvStatus fv_score_watch(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error);
FvStatus fv_score_tell_watch(FvScoring *scoring, FvError *error);
void fv_score_close_watch(FvScoring *scoring);

/* Looks at the pairs whose frames came as packets and have been decoded. */
FvStatus fv_score_watch_decoded(FvScoring *scoring, FvError *error);
