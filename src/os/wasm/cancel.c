/* WebAssembly: what is read or written is a file or memory, for which nothing waits. */
#include "os/cancel.h"

bool fv_cancel_wait(const FvCancel *cancel, int fd, short events)
{
    return !fv_cancel_requested(cancel);
}
