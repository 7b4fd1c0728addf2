/*
 * Stop requests, for code that reads and writes. The public part is fovea/cancel.h. A NULL request never asks to
 * stop.
 */
#pragma once

#include "fovea/fovea.h"

/*
 * Waits until reading (`events` is POLLIN) or writing (POLLOUT) `fd` does not block, which is also so at the end of a
 * file or for a broken pipe. false: a stop was requested first.
 */
bool fv_cancel_wait(const FvCancel *cancel, int fd, short events);

/* Waits until reading the descriptor does not block; false: a stop was requested first. */
bool fv_cancel_wait_input(const FvCancel *cancel, int fd);

/* Fails because a stop request ended the call: FV_ERROR_PARTIAL, "<name>: stopped on request". */
FvStatus fv_fail_cancelled(FvError *error, const char *name);
