/* Which frames of two videos are compared, and whether videos of these lengths are. */
#pragma once

#include "score/comparison.h"

/* Fills skip and frames. FV_ERROR_INPUT when a time is given and a video has no rate. */
FvStatus fv_span_choose(FvComparison *comparison, FvError *error);

/* Pairs of videos that have `ref` and `dis` frames to compare, `frames` at most (0: all). */
int64_t fv_span_pairs(int64_t frames, int64_t ref, int64_t dis);

/* Whether videos of these lengths are compared: equal ones, and others as far as they are asked for. */
bool fv_span_fits(const FvScoreParams *params, int64_t frames, int64_t ref, int64_t dis);
