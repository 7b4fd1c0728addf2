/* Whether two videos run at one frame rate. */
#pragma once

#include "score/comparison.h"

/*
 * Before the decision: where the stated rates differ by so much that the videos would be refused, takes both rates
 * from the times of all frames. Reads the packets of both files then. Either source may be NULL.
 */
void fv_rate_settle(FvSource *const source[2], const FvScoreParams *params);

/* FV_ERROR_INPUT, with the remedy, where the rates differ and no parameter says what that means. */
FvStatus fv_rate_check(FvComparison *comparison, FvError *error);
