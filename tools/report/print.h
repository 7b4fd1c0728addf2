/* Implements --print: only pooled scores on standard output, one per line, for programs that call fovea. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/*
 * Checks the values of --print. If a pooling is unknown, or a report is written to standard output, prints a message
 * and returns FV_ERROR_USAGE.
 */
FvStatus print_check(const Options *options);

/* Splits "SCORE[:POOL]". On failure, prints a message and returns FV_ERROR_USAGE. */
FvStatus print_parse(const char *text, char *name, size_t size, FvPool *pool);

/* Checks that the started session has the scores. On failure, prints a message and returns FV_ERROR_USAGE. */
FvStatus print_check_scores(const Options *options, const FvSession *session);

/*
 * Prints each number with 17 digits, which read back as the same value; "inf" and "nan" as JSON reports have them.
 * For "verdict", it prints the sentence of the verdict. On failure, prints a message and returns FV_ERROR_MEMORY.
 */
FvStatus print_scores(FILE *file, const Options *options, FvSession *session);
