/* Windows: threads of libraries get no signals. The flag is per thread, so a new thread does not inherit it. */
#include "os/thread.h"

static _Thread_local bool blocked;

void fv_thread_block_signals(void)
{
    blocked = true;
}

void fv_thread_restore_signals(void)
{
    blocked = false;
}

bool fv_thread_blocks_signals(void)
{
    return blocked;
}
