/* Windows cannot wait for a pipe and an event at once, so waiting polls both. */
#include "os/cancel.h"

#include <poll.h>

#define SLICE 20 /* milliseconds between checks for a stop request */

bool fv_cancel_wait(const FvCancel *cancel, int fd, short events)
{
    while (!fv_cancel_requested(cancel))
        if (poll(&(struct pollfd){.fd = fd, .events = events}, 1, SLICE) > 0)
            return true;
    return false;
}
