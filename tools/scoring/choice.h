/* Adds the metrics of the options to a session. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/*
 * Adds the metrics that the user names, or the default ones, each with its options and those that follow from
 * --allow-hdr and --roi. On failure, prints a message and returns its status.
 */
FvStatus choice_add(FvSession *session, const Options *options);

/* Counts the metrics that the options name, and those of them that accept RGB. */
void choice_count(const Options *options, bool pictures, int *metrics, int *taking);

/* Checks that no metric of the session needs a reference. On failure, prints a message and returns FV_ERROR_USAGE. */
FvStatus choice_allows_no_reference(const FvSession *session);
