/* Decides whether two videos have the same frame rate. */
#pragma once

#include "score/comparison.h"

/*
 * Replaces both rates by those measured from the times of all frames if the stated rates differ so much that the
 * videos would be refused. Reads the packets of both files in that case. Call it before fv_comparison_decide().
 * Either source may be NULL.
 */
void fv_rate_settle(FvSource *const source[2], const FvScoreParams *params);

/* Checks the rates. FV_ERROR_INPUT, with the remedy: they differ, and no parameter accepts that. */
FvStatus fv_rate_check(FvComparison *comparison, FvError *error);
