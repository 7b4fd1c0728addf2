/* Profiles of fovea check: named sets of limits and of checks that must not find anything. */
#pragma once

#include "cli/options.h"
#include "json_read.h"

/*
 * Adds what options->profile says, a built-in name or the path of a JSON file, to options that args_copy() made.
 * Options that are set already stay. Texts belong to *document, which the caller closes in any case. On failure,
 * prints a message and returns its status.
 */
FvStatus check_profile_apply(Options *options, FvDocument *document);
