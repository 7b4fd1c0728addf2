/* Two sources that are being scored. */
#ifndef FV_SCORE_SCORING_H
#define FV_SCORE_SCORING_H

#include "align/match.h"
#include "score/fit.h"
#include "input/ahead.h"
#include "score/score.h"
#include "align/shift.h"

typedef struct FvScoring {
    FvSession *session;
    const FvScoreParams *params;
    const FvSource *source[2]; /* reference (or NULL), distorted */
    const FvSourceInfo *info[2];
    FvReader *reader[2];
    FvPreparation *preparation[2]; /* NULL: frames are compared as they come */
    bool defers[2];                /* the device prepares them */
    FvFormat format[2];            /* of the frames that are compared */
    int64_t skip[2], frames;       /* dropped at the start; to be compared, 0: all */
    FvMatch match;                 /* for pairs by content or by time */
    FvShift shift;                 /* without signatures: nobody looks whether pairs by index are shifted */
    int64_t read;                  /* pairs read after the skipped frames */
    int64_t total;
    double started, waited, pushed; /* seconds: at first; spent on waiting for frames, on handing them over */
    FvScoreRange *range;            /* what is scored of the videos; NULL: everything */
    int64_t first_read;             /* what `read` began with */
} FvScoring;

static inline bool fv_scoring_matches(const FvScoring *scoring)
{
    return scoring->params->align == FV_ALIGN_BY_TIME || scoring->params->align == FV_ALIGN_BY_CONTENT;
}

/* Decisions about pairs: by time once all are read, by content before. */
FvStatus fv_score_tell_matches(const FvScoring *scoring, FvError *error);
FvStatus fv_score_tell_alignment(const FvScoring *scoring, FvError *error);

/* Finds scoring->total. Fails, or warns, where the lengths are known to be unequal, or seem so (score_length.c). */
FvStatus fv_score_check_length(FvScoring *scoring, FvError *error);

/* Fails with `status`: the videos have that many frames to compare; below 0: more than were read. */
FvStatus fv_score_fail_length(const FvScoring *scoring, int64_t ref, int64_t dis, FvStatus status, FvError *error);

/* Whether the parts can be found that reports are to tell of. `path`: of the distorted video. */
FvStatus fv_score_check_watch(const FvSession *session, const char *path, const FvFormat *dis, FvError *error);

/* Frames as they pass (score_watch.c): what is looked at, a pair that was read, and what all have shown. */
FvStatus fv_score_open_watch(FvScoring *scoring, const FvPair *pair, FvError *error);
FvStatus fv_score_watch(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error);
FvStatus fv_score_tell_shift(FvScoring *scoring, FvError *error);

#endif
