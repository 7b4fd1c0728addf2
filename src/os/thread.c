#include "os/thread.h"

#include <sched.h>
#include <time.h>

#include "float_mode.h"

static void *run_thread(void *opaque)
{
    FvThread *thread = opaque;
    fv_float_mode_enter(); /* a new thread begins with the floating-point mode of the thread that starts it */
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
