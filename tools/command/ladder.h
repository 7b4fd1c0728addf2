/* Many pairs in one run of `fovea score`: encodes of one reference, or the files of two folders. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/*
 * Scores each encode and prints one table, or the output that the options ask for instead. `references`: one for each
 * encode, as from two folders; empty: options->reference is the reference of all. Returns the highest exit code of
 * all pairs.
 */
int ladder_score(const Options *options, const ArgList *references, const ArgList *encodes);

/*
 * Makes the finished session of encode `number`. On failure, it sets *error as fv_plan_merge() does, or prints a
 * message and leaves *error unchanged.
 */
typedef FvStatus LadderMerger(void *opaque, int number, FvSession **session, FvError *error);

/*
 * Prints and writes, as ladder_score() does, encodes that were scored in shards: `merger` makes the session of each
 * name.
 */
int ladder_merge(const Options *options, const ArgList *names, LadderMerger *merger, void *opaque);
