/* The pictures of the page of all: the same frames of the reference and of each encode. */
#pragma once

#include "command/ladder_run.h"

/* A picture that cannot be made is a warning, and a lack of memory a status after a message. */
FvStatus ladder_add_pictures(Run *run);
