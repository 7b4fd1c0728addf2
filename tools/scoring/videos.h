/* The two videos that a command reads at the same time, and the outputs that must not be their files. */
#pragma once

#include "fovea/fovea.h"

/*
 * FV_ERROR_USAGE after a message when both names stand for one pipe, which two readers would split between them.
 * Either may be NULL.
 */
FvStatus videos_check(const char *reference, const char *distorted);

/* Returns whether the bytes can be read only once, like those of a pipe; false for a file that is standard input. */
bool videos_come_once(const char *path);

/* Whether it is neither a file nor a folder, but a pipe, say: its bytes come once. */
bool videos_is_stream(const char *path);

/* Checks params->path, if it is not NULL, and standard output, as fv_output_check() does. */
FvStatus outputs_check(const FvOutputParams *params, FvError *error);
