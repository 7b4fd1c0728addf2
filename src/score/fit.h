/*
 * Whether two videos can be compared, and what has to be done to their pictures first: the only place that decides
 * it. Nothing is read; decisions go to the session in the order in which things are done.
 */
#ifndef FV_SCORE_FIT_H
#define FV_SCORE_FIT_H

#include "picture/prepare.h"
#include "session/session.h"

enum { FV_PAIR_REFERENCE, FV_PAIR_DISTORTED };

typedef struct FvPair {
    FvSession *session; /* NULL: decisions are not recorded */
    const FvScoreParams *params;
    const FvSourceInfo *info[2]; /* the reference's may be NULL */
    FvPrepareParams prepare[2];  /* what is done to the frames of each */
    FvFormat format[2];          /* of the frames that are compared */
    int64_t skip[2], frames;     /* dropped at the start of each; to be compared, 0: all */
} FvPair;

/* Fills prepare and format. FV_ERROR_INPUT when the pair does not fit, with the remedy. */
FvStatus fv_pair_decide(FvPair *pair, FvError *error);

/* FV_ERROR_USAGE for parameters that no pair of videos could have. */
FvStatus fv_pair_check_params(const FvScoreParams *params, bool reference, FvError *error);

/* Fills skip and frames. FV_ERROR_INPUT when a time is given and a video has no rate. */
FvStatus fv_pair_choose_frames(FvPair *pair, FvError *error);

#endif
