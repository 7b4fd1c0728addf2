/* Opens, scores and reports one of several pairs. Its messages begin with the pair's name. */
#pragma once

#include "command/ladder_run.h"

/*
 * Opens a pair to be scored by `threads`. `shared`: the opened reference of all pairs, or NULL. Sets pair->status.
 * Call job_close in any case.
 */
void pair_open(Pair *pair, int threads, FvSource *shared);

/*
 * Writes the pair's own outputs, and stores what the table needs. `status` and `error` are the result of its scoring.
 */
void pair_end(Pair *pair, FvStatus status, const FvError *error);

/*
 * Replaces pair_open() and pair_end() for a pair that was scored in shards, which it merges. Returns a failure only
 * if it concerns all pairs.
 */
FvStatus pair_merge(Pair *pair);
