/* A group of threads that call the same function for many indices. */
#pragma once

#include "fovea/fovea.h"

typedef struct FvWorkers FvWorkers;

/* Starts the threads. `threads`: at least 1; the caller's thread is one of them, so 1 starts none. */
FvStatus fv_workers_open(FvWorkers **workers, int threads, FvError *error);

/* Calls job(opaque, i, worker) for i in [0, count) in any order, worker in [0, threads). Returns when all are
 * done. */
void fv_workers_run(FvWorkers *workers, int count, void (*job)(void *opaque, int i, int worker), void *opaque);

/* Returns the `threads` of fv_workers_open(). */
int fv_workers_count(const FvWorkers *workers);

void fv_workers_close(FvWorkers **workers);
