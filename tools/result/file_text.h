/* Files that are read as a whole. */
#pragma once

#include <stddef.h>

#include "fovea/error.h"

/*
 * The bytes of a regular file of at most `most`, with a NUL behind them that `size` does not count. To be freed,
 * after a failure as well, which comes after a message.
 */
FvStatus file_text(const char *path, size_t most, char **text, size_t *size);
