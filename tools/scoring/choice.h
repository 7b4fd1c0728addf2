/* The metrics to compute. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/* Adds metrics by name, with their options; allow_hdr: VMAF scores PQ and HLG. A status comes after a message. */
FvStatus choice_add(FvSession *session, const ArgList *metrics, bool allow_hdr);

/* Whether each metric that the options name takes RGB as it is. */
bool choice_takes_rgb(const Options *options);

/* FV_ERROR_USAGE after a message when a metric of the session needs a reference. */
FvStatus choice_allows_no_reference(const FvSession *session);
