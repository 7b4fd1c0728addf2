/* The metrics to compute. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/*
 * Adds the metrics that are named, each with its options and with what --allow-hdr and --roi mean for it. A status
 * comes after a message.
 */
FvStatus choice_add(FvSession *session, const Options *options);

/* How many metrics the options name, and how many of these take RGB. */
void choice_count(const Options *options, bool pictures, int *metrics, int *taking);

/* FV_ERROR_USAGE after a message when a metric of the session needs a reference. */
FvStatus choice_allows_no_reference(const FvSession *session);
