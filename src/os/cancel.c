#include "os/cancel.h"

#include <poll.h>

#include "base/error.h"

bool fv_cancel_wait_input(const FvCancel *cancel, int fd)
{
    return fv_cancel_wait(cancel, fd, POLLIN);
}

FvStatus fv_fail_cancelled(FvError *error, const char *name)
{
    return fv_fail(error, FV_FAIL_STOPPED, "%s: stopped on request", name);
}
