/*
 * Whether two videos can be compared, and how their pictures are prepared for that: all conditions on rate, colour,
 * range, depth, chroma format, size and length. Nothing is read; decisions go to the session in the order of the
 * work.
 */
#pragma once

#include "score/comparison.h"

/*
 * Before anything is decided or read: what the sources leave open is settled by each other, the matrices of RGB
 * (rgb_matrix.h) and rates that containers round (rate.h). Either may be NULL.
 */
void fv_comparison_settle(FvSource *const source[2], const FvScoreParams *params);

/* Fills prepare and format. FV_ERROR_INPUT when the videos cannot be compared, with the remedy. */
FvStatus fv_comparison_decide(FvComparison *comparison, FvError *error);

/* FV_ERROR_USAGE for parameters that suit no videos. */
FvStatus fv_comparison_check_params(const FvScoreParams *params, bool reference, FvError *error);
