/*
 * Scoring two files: in a thread of its own, so that the caller's thread can look for signals, also while the library
 * waits for a pipe.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session.h"
#include "video.h"

#define PATIENCE 20000000 /* ns between two looks for signals */
#define MAPS 4            /* that wait for Python before the library does */

typedef struct Gate {
    const char *score; /* Python's own */
    int pool, above;
    double limit;
} Gate;

typedef struct Job {
    Session *owner;
    FvSession *session;
    FvStatus (*waits)(FvSession *session, FvError *error); /* the whole job; NULL: it scores two files */
    bool usual, allow_hdr;
    Videos videos;
    Gate *gates;
    int gate_count;
    bool gated;
    FvError gate_error;
    const int64_t *frames; /* that are scored, ascending; NULL: all */
    Py_ssize_t frame_count;
    FvStatus status;
    FvError error;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t told;
    FvProgress progress;
    char limited_by[256];
    bool moved, done;
} Job;

/* ---- In the thread of the job ---------------------------------------------------------------------------------- */

static int find_output(const FvSession *session, const char *name)
{
    for (int i = 0; i < fv_session_outputs(session); i++)
        if (!strcmp(fv_session_output(session, i)->name, name))
            return i;
    return -1;
}

static FvStatus fail(FvError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static FvStatus fail(FvError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error->status = FV_ERROR_USAGE;
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return error->status;
}

static FvStatus add_gate(Job *job, const Gate *gate)
{
    const char *option = gate->above ? "fail_above" : "fail_below";
    const FvGate asked = {find_output(job->session, gate->score), (FvPool)gate->pool, gate->above, gate->limit};
    if (asked.output < 0) {
        char list[512] = "";
        for (int i = 0; i < fv_session_outputs(job->session); i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                     fv_session_output(job->session, i)->name);
        return fail(&job->gate_error, "%s: this run has no score '%s'; it has %s", option, gate->score, list);
    }
    const FvOutputInfo *output = fv_session_output(job->session, asked.output);
    if (output->better != FV_NEITHER_IS_BETTER && (output->better == FV_LOWER_IS_BETTER) != gate->above)
        return fail(&job->gate_error, "%s: %s is better when it is %s; give it to %s", option, output->name,
                    fv_better_name(output->better), gate->above ? "fail_below" : "fail_above");
    if (output->sequence && asked.pool != FV_POOL_MEAN)
        return fail(&job->gate_error, "%s: %s is one value for the whole clip; leave out the pooling", option,
                    output->name);
    return fv_session_add_gate(job->session, &asked, &job->gate_error);
}

/* The scores are known once the session is started. False stops the scoring. */
static bool add_gates(Job *job)
{
    for (int i = 0; i < job->gate_count && !job->gated && !job->gate_error.status; i++)
        add_gate(job, &job->gates[i]);
    job->gated = true;
    return !job->gate_error.status;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Job *job = opaque;
    pthread_mutex_lock(&job->lock);
    job->progress = *progress; /* the newest one counts: scoring never waits for Python */
    snprintf(job->limited_by, sizeof job->limited_by, "%s",
             progress->pace.limited_by ? progress->pace.limited_by : "");
    job->moved = true;
    pthread_mutex_unlock(&job->lock);
    return add_gates(job);
}

static bool is_chosen(void *opaque, int64_t frame)
{
    const Job *job = opaque;
    Py_ssize_t low = 0, high = job->frame_count;
    while (low < high) {
        const Py_ssize_t middle = low + (high - low) / 2;
        if (job->frames[middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low < job->frame_count && job->frames[low] == frame;
}

static FvStatus add_usual(Job *job, FvSource *const sources[2])
{
    FvFormat formats[2];
    FvStatus status = job->videos.has_reference
                          ? FV_OK
                          : fail(&job->error, "reference is None: name metrics that need none, such as "
                                              "metrics='cambi'");
    if (!status)
        status = fv_score_formats(sources[0], sources[1], &job->videos.params, formats, &job->error);
    return status ? status
                  : fv_session_add_usual(job->session, &formats[0], &formats[1], job->allow_hdr, &job->error);
}

static FvStatus score(Job *job, FvSource *sources[2], FvAlignment **alignment)
{
    Videos *videos = &job->videos;
    FvStatus status = videos_prepare(videos, alignment, &job->error);
    for (int side = !videos->has_reference; side < 2 && !status; side++)
        status = fv_source_open(&sources[side], &videos->source[side], &job->error);
    if (!status && job->usual)
        status = add_usual(job, sources);
    return status ? status : fv_score(job->session, sources[0], sources[1], &videos->params, &job->error);
}

static void *run(void *opaque)
{
    Job *job = opaque;
    FvSource *sources[2] = {NULL, NULL};
    FvAlignment *alignment = NULL;
    FvStatus status = job->waits ? job->waits(job->session, &job->error) : score(job, sources, &alignment);
    if (job->gate_error.status) {
        job->error = job->gate_error;
        status = job->error.status;
    }
    fv_source_close(&sources[0]);
    fv_source_close(&sources[1]);
    fv_alignment_close(&alignment);
    pthread_mutex_lock(&job->lock);
    job->status = status;
    job->done = true;
    pthread_cond_signal(&job->told);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/* ---- In Python's thread ---------------------------------------------------------------------------------------- */

static bool wait_for(Job *job, bool *moved)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&job->lock);
    if (!job->done)
        pthread_cond_timedwait(&job->told, &job->lock, &until);
    const bool done = job->done;
    *moved = job->moved;
    job->moved = false;
    pthread_mutex_unlock(&job->lock);
    return done;
}

static bool tell_progress(Job *job, PyObject *receiver)
{
    pthread_mutex_lock(&job->lock);
    const FvProgress progress = job->progress;
    char limited_by[sizeof job->limited_by];
    memcpy(limited_by, job->limited_by, sizeof limited_by);
    pthread_mutex_unlock(&job->lock);
    PyObject *result = PyObject_CallFunction(receiver, "LLdz", (long long)progress.frames, (long long)progress.total,
                                             progress.seconds, *limited_by ? limited_by : NULL);
    Py_XDECREF(result);
    return result != NULL;
}

/* False after an exception, of a receiver or by a signal; the job has ended in any case. */
static bool wait_for_end(Job *job, PyObject *progress)
{
    Session *self = job->owner;
    bool good = true;
    for (bool done = false; !done;) {
        bool moved = false;
        Py_BEGIN_ALLOW_THREADS
        done = wait_for(job, &moved);
        Py_END_ALLOW_THREADS
        if (!good)
            continue;
        const bool taken = events_deliver(&self->events, self->core, self->log, self->takers) &&
                           (!moved || progress == Py_None || tell_progress(job, progress));
        good = taken && !PyErr_CheckSignals();
        if (!taken && job->waits) { /* pushed frames are scored all the same; what waits is handed out later */
            events_limit(&self->events, 0);
        } else if (!good) {
            fv_cancel_request(self->cancel);
            events_quit(&self->events);
        }
    }
    return good;
}

static PyObject *run_job(Job *job, PyObject *progress)
{
    pthread_t thread;
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->told, NULL);
    events_limit(&job->owner->events, MAPS);
    const bool started = !pthread_create(&thread, NULL, run, job);
    const bool good = started && wait_for_end(job, progress);
    if (started)
        pthread_join(thread, NULL);
    else
        PyErr_NoMemory();
    events_limit(&job->owner->events, 0);
    pthread_cond_destroy(&job->told);
    pthread_mutex_destroy(&job->lock);
    if (!good)
        return NULL;
    return job->status ? core_raise(job->owner->core, &job->error) : Py_NewRef(Py_None);
}

/* ---- Arguments ------------------------------------------------------------------------------------------------- */

static bool read_gates(PyObject *list, Job *job)
{
    const Py_ssize_t count = PyList_Size(list);
    job->gates = count > 0 ? PyMem_Malloc((size_t)count * sizeof *job->gates) : NULL;
    if (count > 0 && !job->gates)
        PyErr_NoMemory();
    for (; job->gates && job->gate_count < count; job->gate_count++) {
        Gate *gate = &job->gates[job->gate_count];
        if (!PyArg_ParseTuple(PyList_GetItem(list, job->gate_count), "sipd", &gate->score, &gate->pool, &gate->above,
                              &gate->limit))
            return false;
    }
    return !PyErr_Occurred();
}

PyObject *session_score(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"reference", "distorted", "preparation", "usual",  "allow_hdr", "subsample",
                            "count",     "frames",    "gates",       "device", "progress",  NULL};
    Session *self = (Session *)object;
    Job job = {.owner = self};
    FvScoreParams *params = &job.videos.params;
    PyObject *reference, *distorted, *preparation, *frames, *gates, *progress;
    int usual, allow_hdr, subsample;
    long long count;
    const char *device;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO!ppiLOOzO", names, &reference, &distorted, &PyTuple_Type,
                                     &preparation, &usual, &allow_hdr, &subsample, &count, &frames, &gates, &device,
                                     &progress) ||
        !session_enter(self))
        return NULL;
    Py_buffer view = {.obj = NULL};
    const bool good = videos_read(&job.videos, reference, distorted, preparation) && read_gates(gates, &job) &&
                      (frames == Py_None || !PyObject_GetBuffer(frames, &view, PyBUF_SIMPLE));
    job.session = self->session;
    job.usual = usual;
    job.allow_hdr = allow_hdr;
    params->subsample = subsample;
    params->frames = count;
    params->progress = on_progress;
    params->opaque = &job;
    if (view.obj) {
        job.frames = view.buf;
        job.frame_count = view.len / 8;
        params->chooses = is_chosen;
    }
    for (int side = 0; side < 2; side++) {
        job.videos.source[side].scored_on = device;
        job.videos.source[side].cancel = self->cancel;
    }
    PyObject *result = good ? run_job(&job, progress) : NULL;
    self->started |= good;
    if (view.obj)
        PyBuffer_Release(&view);
    PyMem_Free(job.gates);
    return session_leave(self, result);
}

PyObject *session_wait_for(PyObject *object, FvStatus (*waits)(FvSession *session, FvError *error))
{
    Session *self = (Session *)object;
    if (!session_enter(self))
        return NULL;
    Job job = {.owner = self, .session = self->session, .waits = waits};
    return session_leave(self, run_job(&job, Py_None));
}
