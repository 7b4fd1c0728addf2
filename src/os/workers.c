#include "os/workers.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "os/memory.h"

typedef struct Worker {
    FvWorkers *workers;
    int number;
    pthread_t thread;
} Worker;

struct FvWorkers {
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned round; /* grows with every run */
    int busy;       /* threads that have not finished this round */
    bool quit;
    void (*job)(void *opaque, int i, int worker);
    void *opaque;
    int count;
    atomic_int next;
    int threads; /* started */
    Worker worker[];
};

static void take_jobs(FvWorkers *workers, int number)
{
    for (int i; (i = atomic_fetch_add_explicit(&workers->next, 1, memory_order_relaxed)) < workers->count;)
        workers->job(workers->opaque, i, number);
}

static void *work(void *opaque)
{
    Worker *worker = opaque;
    FvWorkers *workers = worker->workers;
    unsigned seen = 0;
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (workers->round == seen && !workers->quit)
            pthread_cond_wait(&workers->start, &workers->lock);
        if (workers->quit)
            break;
        seen = workers->round;
        pthread_mutex_unlock(&workers->lock);
        take_jobs(workers, worker->number);
        pthread_mutex_lock(&workers->lock);
        if (--workers->busy == 0)
            pthread_cond_signal(&workers->done);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

FvStatus fv_workers_open(FvWorkers **workers, int threads, FvError *error)
{
    size_t bytes = sizeof(FvWorkers) + (size_t)(threads - 1) * sizeof(Worker);
    FvWorkers *w = *workers = fv_alloc_zero(bytes);
    if (!w)
        return fv_fail_memory(error, bytes);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->start, NULL);
    pthread_cond_init(&w->done, NULL);
    for (int i = 0; i < threads - 1; i++) {
        w->worker[i] = (Worker){.workers = w, .number = i + 1};
        if (pthread_create(&w->worker[i].thread, NULL, work, &w->worker[i])) {
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
    pthread_mutex_lock(&workers->lock);
    workers->job = job;
    workers->opaque = opaque;
    workers->count = count;
    atomic_store_explicit(&workers->next, 0, memory_order_relaxed);
    workers->busy = workers->threads;
    workers->round++;
    pthread_cond_broadcast(&workers->start);
    pthread_mutex_unlock(&workers->lock);
    take_jobs(workers, 0);
    pthread_mutex_lock(&workers->lock);
    while (workers->busy)
        pthread_cond_wait(&workers->done, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
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
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_broadcast(&w->start);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->threads; i++)
        pthread_join(w->worker[i].thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->start);
    pthread_cond_destroy(&w->done);
    fv_free(w);
}
