/*
 * Whether two videos can be compared, and how their pictures are prepared for that: all conditions on rate, colour,
 * range, depth, chroma format, size and length. Nothing is read; decisions go to the session in the order of the
 * work.
 */
#pragma once

#include "score/compared.h"

/* Fills prepare and format. FV_ERROR_INPUT when the videos cannot be compared, with the remedy. */
FvStatus fv_comparison_decide(FvComparison *comparison, FvError *error);

/* FV_ERROR_USAGE for parameters that suit no videos. */
FvStatus fv_comparison_check_params(const FvScoreParams *params, bool reference, FvError *error);

/* Fills skip and frames. FV_ERROR_INPUT when a time is given and a video has no rate. */
FvStatus fv_comparison_choose_frames(FvComparison *comparison, FvError *error);

/* Pairs of videos that have `ref` and `dis` frames to compare, `frames` at most (0: all). */
int64_t fv_length_pairs(int64_t frames, int64_t ref, int64_t dis);

/* Whether videos of these lengths are compared: equal ones, and others as far as they are asked for. */
bool fv_length_fits(const FvScoreParams *params, int64_t frames, int64_t ref, int64_t dis);
