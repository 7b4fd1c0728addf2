/* The stop request of the program, for the interface of libvmaf inside the command, whose functions take none. */
#pragma once

#include "fovea/cancel.h"

/* NULL until the command sets it, and in other programs for ever. */
extern const FvCancel *program_stop;
