/* Runs work of the library that may wait for a file, so that Ctrl-C can end it. */
#pragma once

#include <pthread.h>
#include <time.h>

#include "core.h"

typedef struct Work Work;

/*
 * The first member of a structure with the work's arguments and results. The structure is on the heap because a
 * daemon thread that waits for the work ends with the interpreter, while the work continues.
 */
struct Work {
    FvStatus (*run)(Work *work, FvError *error); /* called without the GIL */
    FvCancel *cancel;                            /* stop request of the work's sources */
    FvError error;
    pthread_mutex_t lock; /* guards `ended` */
    pthread_cond_t told;  /* signalled once `ended` is set */
    bool ended;
};

/*
 * Makes a structure of `size` bytes that begins with a Work; the rest is zeroed. `stop` is a fovea._fovea.Stop that
 * outlives the work and what it opens: its request ends the work. NULL after an exception.
 */
void *work_new(const Core *core, size_t size, FvStatus (*run)(Work *work, FvError *error), PyObject *stop);

/*
 * Runs the work in a new thread, while this thread handles signals. false after an exception, from the library or a
 * signal handler. The work has ended in any case.
 */
bool work_do(Work *work, const Core *core);

void work_free(Work *work);

#define WORK_PATIENCE 20000000 /* nanoseconds between checks for signals in a waiting thread */
