/* Reads a whole file into memory. */
#pragma once

#include <stddef.h>

#include "fovea/error.h"

/*
 * Reads a regular file of at most `most` bytes. A NUL follows the bytes; *size does not count it. The caller frees
 * *text, also after a failure. On failure, prints a message and returns its status.
 */
FvStatus file_text(const char *path, size_t most, char **text, size_t *size);
