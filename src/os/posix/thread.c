#include "os/thread.h"

#include <signal.h>

static _Thread_local sigset_t signals; /* signal mask of this thread before fv_thread_block_signals() */

void fv_thread_block_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals);
}

void fv_thread_restore_signals(void)
{
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
}

bool fv_thread_blocks_signals(void)
{
    sigset_t blocked;
    return !pthread_sigmask(SIG_BLOCK, NULL, &blocked) && sigismember(&blocked, SIGTERM) == 1 &&
           sigismember(&blocked, SIGRTMAX) == 1;
}
