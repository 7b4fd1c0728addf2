/* One run over two sources, complete or a range of their frames. */
#pragma once

#include "score/range.h"
#include "score/ycbcr.h"
#include "session/session.h"

/* Checks the arguments. FV_ERROR_USAGE: the session or the sources cannot be scored. */
FvStatus fv_scoring_check(const FvSession *session, const FvSource *reference, const FvSource *distorted,
                          const FvScoreParams *params, FvError *error);

/* Checks and scores. `range`: a part of the videos; NULL: all. Ignores params->fields. */
FvStatus fv_scoring_run(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error);

/* Records in the workload that frames have a Y'CbCr variant, if a metric that does not accept RGB needs it. */
void fv_scoring_add_variants(FvWorkload *workload, const FvYcbcr *ycbcr);
