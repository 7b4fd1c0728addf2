/* Where a report shall go, looked at before hours are spent on what it shall hold. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "fovea/fovea.h"

/*
 * FV_ERROR_OUTPUT after a message when no file can appear at `path`, FV_ERROR_USAGE when it is one of the `count`
 * videos (NULL ones are left out). "-" is always right.
 */
FvStatus output_check(const char *path, const char *const *videos, int count);

#endif
