#include "os/workers.h"

#include <stdatomic.h>

#include "base/error.h"
#include "os/memory.h"
#include "os/thread.h"

typedef struct Worker {
    FvWorkers *workers;
    int number;
    FvThread thread;
} Worker;

struct FvWorkers {
    FvMutex lock;
    FvCondition start, done;
    unsigned round; /* number of the current fv_workers_run() */
    int busy;       /* threads that have not finished this round */
    bool quit;
    void (*job)(void *opaque, int i, int worker);
    void *opaque;
    int count;
    atomic_int next;
    int threads; /* number of threads that were started */
    Worker worker[];
};

static void take_jobs(FvWorkers *workers, int number)
{
    for (int i; (i = atomic_fetch_add_explicit(&workers->next, 1, memory_order_relaxed)) < workers->count;)
        workers->job(workers->opaque, i, number);
}

static void work(void *opaque)
{
    Worker *worker = opaque;
    FvWorkers *workers = worker->workers;
    unsigned seen = 0;
    fv_lock(&workers->lock);
    for (;;) {
        while (workers->round == seen && !workers->quit)
            fv_condition_wait(&workers->start, &workers->lock);
        if (workers->quit)
            break;
        seen = workers->round;
        fv_unlock(&workers->lock);
        take_jobs(workers, worker->number);
        fv_lock(&workers->lock);
        if (--workers->busy == 0)
            fv_condition_wake_one(&workers->done);
    }
    fv_unlock(&workers->lock);
}

FvStatus fv_workers_open(FvWorkers **workers, int threads, FvError *error)
{
    size_t bytes = sizeof(FvWorkers) + (size_t)(threads - 1) * sizeof(Worker);
    FvWorkers *w = *workers = fv_alloc_zero(bytes);
    if (!w)
        return fv_fail_memory(error, bytes);
    fv_mutex_open(&w->lock);
    fv_condition_open(&w->start);
    fv_condition_open(&w->done);
    for (int i = 0; i < threads - 1; i++) {
        w->worker[i] = (Worker){.workers = w, .number = i + 1};
        if (!fv_thread_start(&w->worker[i].thread, work, &w->worker[i])) {
            fv_workers_close(workers);
            return fv_fail(error, FV_ERROR_MEMORY, "cannot start thread %d of %d; ask for fewer threads", i + 2,
                           threads);
        }
        w->threads++;
    }
    return FV_OK;
}

void fv_workers_run(FvWorkers *workers, int count, void (*job)(void *opaque, int i, int worker), void *opaque)
{
    fv_lock(&workers->lock);
    workers->job = job;
    workers->opaque = opaque;
    workers->count = count;
    atomic_store_explicit(&workers->next, 0, memory_order_relaxed);
    workers->busy = workers->threads;
    workers->round++;
    fv_condition_wake(&workers->start);
    fv_unlock(&workers->lock);
    take_jobs(workers, 0);
    fv_lock(&workers->lock);
    while (workers->busy)
        fv_condition_wait(&workers->done, &workers->lock);
    fv_unlock(&workers->lock);
}

int fv_workers_count(const FvWorkers *workers)
{
    return workers->threads + 1;
}

void fv_workers_close(FvWorkers **workers)
{
    FvWorkers *w = *workers;
    *workers = NULL;
    if (!w)
        return;
    fv_lock(&w->lock);
    w->quit = true;
    fv_condition_wake(&w->start);
    fv_unlock(&w->lock);
    for (int i = 0; i < w->threads; i++)
        fv_thread_join(&w->worker[i].thread);
    fv_mutex_close(&w->lock);
    fv_condition_close(&w->start);
    fv_condition_close(&w->done);
    fv_free(w);
}
