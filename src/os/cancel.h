/* A request to stop, as those see it who read or write; the public part is in fovea/cancel.h. A NULL cancel never
 * asks. */
#ifndef FV_OS_CANCEL_H
#define FV_OS_CANCEL_H

#include "fovea/fovea.h"

/*
 * Waits until `fd` has something to read (`events` is POLLIN) or takes something (POLLOUT), is at its end or broken:
 * true, and the call that follows does not block. False: the stop was requested first.
 */
bool fv_cancel_wait(const FvCancel *cancel, int fd, short events);

/* The error of everything that ends because of the request: FV_ERROR_PARTIAL, "<name>: stopped on request". */
FvStatus fv_fail_cancelled(FvError *error, const char *name);

#endif
