/* A request to stop, for code that reads and writes. The public part is fovea/cancel.h. NULL is a request that never
 * comes. */
#pragma once

#include "fovea/fovea.h"

/*
 * Waits until reading (`events` is POLLIN) or writing (POLLOUT) `fd` does not block, also because of its end or a
 * broken pipe: true. False: the stop was requested first.
 */
bool fv_cancel_wait(const FvCancel *cancel, int fd, short events);

/* Waits until the descriptor can be read, or a stop is requested. */
bool fv_cancel_wait_input(const FvCancel *cancel, int fd);

/* The error of a call that the request ended: FV_ERROR_PARTIAL, "<name>: stopped on request". */
FvStatus fv_fail_cancelled(FvError *error, const char *name);
