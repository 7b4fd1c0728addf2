/* Many encodes of one reference in one run of `fovea score`. */
#pragma once

#include "cli/options.h"

/*
 * Scores each encode against options->reference and prints one table, or what the options ask for in its place. The
 * exit code is the highest of all pairs.
 */
int ladder_score(const Options *options, const ArgList *encodes);
