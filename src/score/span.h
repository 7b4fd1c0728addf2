/* Chooses which frames of two videos are compared, and whether videos of unequal lengths are compared. */
#pragma once

#include "score/comparison.h"

/* Fills skip and frames. FV_ERROR_INPUT: a time is given and a video has no rate. */
FvStatus fv_span_choose(FvComparison *comparison, FvError *error);

/* Returns the number of pairs of videos that have `ref` and `dis` frames to compare, at most `frames` (0: all). */
int64_t fv_span_pairs(int64_t frames, int64_t ref, int64_t dis);

/* Returns whether videos of these lengths are compared: equal lengths, and others if parameters allow it. */
bool fv_span_fits(const FvScoreParams *params, int64_t frames, int64_t ref, int64_t dis);
