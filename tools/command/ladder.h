/* Many pairs in one run of `fovea score`: encodes of one reference, or the files of two folders. */
#pragma once

#include "cli/options.h"

/*
 * Scores each encode and prints one table, or what the options ask for in its place. The references are those of the
 * encodes, of two folders; an empty list: options->reference is the one of all. The exit code is the highest of all
 * pairs.
 */
int ladder_score(const Options *options, const ArgList *references, const ArgList *encodes);
