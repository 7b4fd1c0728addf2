/* Finds image sequences: a name with %d or %0Nd stands for all files with a number in that place. docs/input.md */
#pragma once

#include "fovea/fovea.h"
#include "os/guard.h"

bool fv_image_sequence_named(const char *path);

/*
 * Finds the file with the lowest number, whose path the caller frees, that number, and the number of files.
 * FV_ERROR_INPUT: there is no file, or one is missing between two others. Adds all files of the sequence to `files`.
 */
FvStatus fv_image_sequence_find(const char *path, char **first, int *number, int *count, FvGuard *files,
                                FvError *error);
