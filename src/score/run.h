/* One scoring of two sources, whole or a range of their frames. */
#pragma once

#include "score/range.h"
#include "score/ycbcr.h"
#include "session/session.h"

/* FV_ERROR_USAGE where the session or the sources cannot be scored. */
FvStatus fv_scoring_check(const FvSession *session, const FvSource *reference, const FvSource *distorted,
                          const FvScoreParams *params, FvError *error);

/* Checks and scores. `range`: a part of the videos; NULL: all. params->fields is not looked at. */
FvStatus fv_scoring_run(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error);

/* Frames come with Y'CbCr where metrics that take no RGB want it. */
void fv_scoring_expect_twins(FvExpected *expected, const FvYcbcr *ycbcr);
