/* Makes the pictures of the page of all pairs: the same frames of the reference and of each encode. */
#pragma once

#include "command/ladder_run.h"

/*
 * Adds the pictures. A picture that cannot be made causes a warning only. Out of memory, prints a message and returns
 * its status.
 */
FvStatus ladder_add_pictures(Run *run);
