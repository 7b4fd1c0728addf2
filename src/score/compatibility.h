/*
 * Decides whether two videos can be compared, and how their frames are prepared, from their rates, colours, ranges,
 * depths, chroma formats, sizes and lengths. Reads no frames. Decisions are recorded in the session in the order in
 * which the frames are prepared.
 */
#pragma once

#include "score/comparison.h"

/*
 * Sets what one source does not state and the other determines: the matrices of RGB (score/rgb_matrix.h), and rates
 * that containers round (score/rate.h). Call it before anything is decided or read. Either source may be NULL.
 */
void fv_comparison_settle(FvSource *const source[2], const FvScoreParams *params);

/* Fills prepare and format. FV_ERROR_INPUT, with the remedy: the videos cannot be compared. */
FvStatus fv_comparison_decide(FvComparison *comparison, FvError *error);

/* Checks the parameters without the videos. FV_ERROR_USAGE: they are valid for no videos. */
FvStatus fv_comparison_check_params(const FvScoreParams *params, bool reference, FvError *error);
