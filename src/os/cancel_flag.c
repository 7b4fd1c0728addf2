/*
 * Stop requests as a flag that wakes no waiting thread, for systems on which waiting polls the flag, or never
 * happens.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "os/cancel.h"

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
