/* Image sequences: a name with %d or %0Nd means the files with numbers in that place. docs/input.md */
#pragma once

#include "fovea/fovea.h"
#include "os/guard.h"

bool fv_image_sequence_named(const char *path);

/*
 * The file with the lowest number, to be freed, that number, and how many files there are. FV_ERROR_INPUT when there
 * is none, or one is missing between two others. Adds all files of the sequence to `files`.
 */
FvStatus fv_image_sequence_find(const char *path, char **first, int *number, int *count, FvGuard *files,
                                FvError *error);
