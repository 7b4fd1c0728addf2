/* How many pairs two videos have. */
#pragma once

#include "fovea/fovea.h"

/* Pairs of videos that have `ref` and `dis` frames to compare, `frames` at most (0: all). */
int64_t fv_length_pairs(int64_t frames, int64_t ref, int64_t dis);

/* Whether videos of these lengths are compared: equal ones, and others as far as they are asked for. */
bool fv_length_fits(const FvScoreParams *params, int64_t frames, int64_t ref, int64_t dis);
