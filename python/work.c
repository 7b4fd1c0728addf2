#include "work.h"

#include "clock.h"
#include "stop.h"

void *work_new(const Core *core, size_t size, FvStatus (*run)(Work *work, FvError *error), PyObject *stop)
{
    FvCancel *cancel = stop_cancel(core, stop);
    Work *work = cancel ? PyMem_Calloc(1, size) : NULL;
    if (work) {
        work->run = run;
        work->cancel = cancel;
    } else if (cancel)
        PyErr_NoMemory();
    return work;
}

static void *run(void *opaque)
{
    Work *work = opaque;
    work->error.status = work->run(work, &work->error);
    pthread_mutex_lock(&work->lock);
    work->ended = true;
    pthread_cond_signal(&work->told);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

static bool has_ended(Work *work)
{
    const struct timespec until = fv_time_in(CLOCK_REALTIME, WORK_PATIENCE);
    pthread_mutex_lock(&work->lock);
    if (!work->ended)
        pthread_cond_timedwait(&work->told, &work->lock, &until);
    const bool ended = work->ended;
    pthread_mutex_unlock(&work->lock);
    return ended;
}

bool work_do(Work *work, const Core *core)
{
    pthread_t thread;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->told, NULL);
    const bool started = !pthread_create(&thread, NULL, run, work);
    bool good = started;
    if (!started)
        PyErr_NoMemory();
    for (bool done = !started; !done;) {
        Py_BEGIN_ALLOW_THREADS
        done = has_ended(work);
        Py_END_ALLOW_THREADS
        if (good && PyErr_CheckSignals()) {
            good = false;
            fv_cancel_request(work->cancel);
        }
    }
    if (good && work->error.status)
        core_raise(core, &work->error);
    if (started)
        pthread_join(thread, NULL);
    pthread_cond_destroy(&work->told);
    pthread_mutex_destroy(&work->lock);
    return good && !work->error.status;
}

void work_free(Work *work)
{
    PyMem_Free(work);
}
