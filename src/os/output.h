/* Outputs that take a guard, which recognises inputs by identity. The public part is fovea/output.h. */
#pragma once

#include "fovea/output.h"
#include "os/guard.h"

/*
 * Check and open an output, like fv_output_check() and fv_output_open(), with a guard instead of the sources and the
 * session.
 */
FvStatus fv_output_check_guarded(const char *path, const FvGuard *guard, FvError *error);
FvStatus fv_output_open_guarded(FvOutput **output, const char *path, const FvGuard *guard, const FvCancel *cancel,
                                FvError *error);
