/* The stop request of the program, for the interface of libvmaf inside the command, whose functions take none. */
#ifndef COMMON_PROGRAM_STOP_H
#define COMMON_PROGRAM_STOP_H

#include "fovea/cancel.h"

/* NULL until the command sets it, and in other programs for ever. */
extern const FvCancel *program_stop;

#endif
