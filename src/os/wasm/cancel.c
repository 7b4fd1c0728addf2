/* WebAssembly: what is read or written is a file or memory, for which nothing waits. */
#include "os/cancel.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"

struct FvCancel {
    atomic_bool requested;
};

FvStatus fv_cancel_open(FvCancel **cancel, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, cancel);
    *cancel = malloc(sizeof **cancel);
    if (!*cancel)
        return fv_fail_memory(error, sizeof **cancel);
    atomic_init(&(*cancel)->requested, false);
    return FV_OK;
}

void fv_cancel_request(FvCancel *cancel)
{
    if (cancel)
        atomic_store(&cancel->requested, true);
}

bool fv_cancel_requested(const FvCancel *cancel)
{
    return cancel && atomic_load(&cancel->requested);
}

void fv_cancel_close(FvCancel **cancel)
{
    if (!cancel)
        return;
    free(*cancel);
    *cancel = NULL;
}

bool fv_cancel_wait(const FvCancel *cancel, int fd, short events)
{
    return !fv_cancel_requested(cancel);
}

bool fv_cancel_wait_input(const FvCancel *cancel, int fd)
{
    return !fv_cancel_requested(cancel);
}

FvStatus fv_fail_cancelled(FvError *error, const char *name)
{
    return fv_fail(error, FV_ERROR_PARTIAL, "%s: stopped on request", name);
}
