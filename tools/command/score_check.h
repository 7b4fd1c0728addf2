/* `fovea score --check`: scores again what reports of fovea say, and compares. docs/recheck.md */
#pragma once

#include "cli/options.h"

/*
 * Checks the report, or the reports of the folder, that the options name. `encodes`: the distorted videos given;
 * none: each report's own. Returns an exit code: EXIT_OK, EXIT_GATE where numbers differ, FV_ERROR_USAGE where
 * nothing could be compared, FV_ERROR_INPUT where a file cannot be read.
 */
int score_check(const Options *options, const ArgList *encodes);
