/* WebAssembly: reading and writing concern only files and memory, so they never wait. */
#include "os/cancel.h"

bool fv_cancel_wait(const FvCancel *cancel, int fd, short events)
{
    return !fv_cancel_requested(cancel);
}
