#include "os/cancel.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"

struct FvCancel {
    atomic_bool requested;
    int wake; /* readable for ever once the stop is requested, so that every poll wakes */
};

FvStatus fv_cancel_open(FvCancel **cancel, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, cancel);
    *cancel = NULL;
    FvCancel *opening = malloc(sizeof *opening);
    if (!opening)
        return fv_fail_memory(error, sizeof *opening);
    atomic_init(&opening->requested, false);
    opening->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (opening->wake < 0) {
        int reason = errno;
        free(opening);
        return fv_fail(error, FV_ERROR_MEMORY, "the system refuses another file descriptor: %s", strerror(reason));
    }
    *cancel = opening;
    return FV_OK;
}

void fv_cancel_request(FvCancel *cancel)
{
    if (!cancel)
        return;
    int before = errno;
    atomic_store(&cancel->requested, true);
    eventfd_write(cancel->wake, 1);
    errno = before;
}

bool fv_cancel_requested(const FvCancel *cancel)
{
    return cancel && atomic_load(&cancel->requested);
}

void fv_cancel_close(FvCancel **cancel)
{
    if (!cancel || !*cancel)
        return;
    close((*cancel)->wake);
    free(*cancel);
    *cancel = NULL;
}

bool fv_cancel_wait(const FvCancel *cancel, int fd, short events)
{
    struct pollfd both[2] = {{.fd = fd, .events = events}, {.fd = cancel ? cancel->wake : -1, .events = POLLIN}};
    while (poll(both, 2, -1) < 0)
        if (errno != EINTR)
            return !fv_cancel_requested(cancel);
    return !both[1].revents;
}
