/* `fovea score --check`: repeats the runs of stored reports, and compares the numbers. docs/recheck.md */
#pragma once

#include "cli/options.h"

/*
 * Checks the report, or the reports of the folder, that the options name. `encodes`: the distorted videos given;
 * empty: those that each report names. Returns an exit code: EXIT_OK, EXIT_GATE if numbers differ, FV_ERROR_USAGE if
 * nothing could be compared, FV_ERROR_INPUT if a file cannot be read.
 */
int score_check(const Options *options, const ArgList *encodes);
