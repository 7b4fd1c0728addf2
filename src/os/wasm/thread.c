/* WebAssembly: there are no signals. */
#include "os/thread.h"

static bool blocked;

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
