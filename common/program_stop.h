/*
 * The stop request of the program. The command's built-in libvmaf interface uses it, since libvmaf's functions have
 * no parameter for one.
 */
#pragma once

#include "fovea/cancel.h"

/* NULL until the command sets it; always NULL in other programs. */
extern const FvCancel *program_stop;
