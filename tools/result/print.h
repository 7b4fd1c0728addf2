/* --print: pooled scores alone on standard output, one a line, for programs that call fovea. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/* FV_OK, or FV_ERROR_USAGE after a message: a pooling is unknown, or a report takes standard output. */
FvStatus print_check(const Options *options);

/* Splits "SCORE[:POOL]". FV_ERROR_USAGE after a message. */
FvStatus print_parse(const char *text, char *name, size_t size, FvPool *pool);

/* Whether the started session has the scores. FV_ERROR_USAGE after a message. */
FvStatus print_check_scores(const Options *options, const FvSession *session);

/*
 * Prints each number with 17 digits, which read back as the same value; "inf" and "nan" as JSON reports have them.
 * "verdict" is the sentence of the verdict. FV_ERROR_MEMORY after a message.
 */
FvStatus print_scores(FILE *file, const Options *options, FvSession *session);
