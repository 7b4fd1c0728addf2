#include "os/thread.h"

#include <sched.h>
#include <signal.h>
#include <time.h>

static _Thread_local sigset_t signals; /* of this thread, before fv_thread_block_signals */

static void *run_thread(void *opaque)
{
    FvThread *thread = opaque;
    thread->run(thread->opaque);
    return NULL;
}

bool fv_thread_start(FvThread *thread, void (*run)(void *opaque), void *opaque)
{
    thread->run = run;
    thread->opaque = opaque;
    thread->running = !pthread_create(&thread->id, NULL, run_thread, thread);
    return thread->running;
}

void fv_thread_join(FvThread *thread)
{
    if (thread->running)
        pthread_join(thread->id, NULL);
    thread->running = false;
}

void fv_thread_yield(void)
{
    sched_yield();
}

void fv_thread_sleep(int nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

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
