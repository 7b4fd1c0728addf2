/* Checks the two videos that a command reads at the same time, and that outputs do not overwrite them. */
#pragma once

#include "fovea/fovea.h"

/*
 * Checks that the two names are not the same pipe, whose bytes two readers would divide between them. Either may be
 * NULL. On failure, prints a message and returns FV_ERROR_USAGE.
 */
FvStatus videos_check(const char *reference, const char *distorted);

/* Returns whether the bytes can be read only once, like those of a pipe; false for a file that is standard input. */
bool videos_come_once(const char *path);

/*
 * Returns whether a path is neither a regular file nor a folder, but a pipe or similar, whose bytes can be read only
 * once.
 */
bool videos_is_stream(const char *path);

/* Checks params->path, if it is not NULL, and standard output, as fv_output_check() does. */
FvStatus outputs_check(const FvOutputParams *params, FvError *error);
