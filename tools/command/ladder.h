/* Many pairs in one run of `fovea score`: encodes of one reference, or the files of two folders. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/*
 * Scores each encode and prints one table, or what the options ask for in its place. The references are those of the
 * encodes, of two folders; an empty list: options->reference is the one of all. The exit code is the highest of all
 * pairs.
 */
int ladder_score(const Options *options, const ArgList *references, const ArgList *encodes);

/* Makes the finished session of an encode. As fv_plan_merge, or after a message with *error as it was. */
typedef FvStatus LadderMerger(void *opaque, int number, FvSession **session, FvError *error);

/* The same for encodes that were scored in shards, by their names. */
int ladder_merge(const Options *options, const ArgList *names, LadderMerger *merger, void *opaque);
