/*
 * Scores files in a separate thread, so that the caller's thread can handle signals even while the library waits for
 * a pipe.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "score.h"

#include "clock.h"
#include "session.h"
#include "video.h"
#include "work.h"

#define MAPS 4 /* number of queued maps at which the library waits for Python */

typedef struct Gate {
    const char *score; /* owned by a Python string */
    int pool, above;
    double limit;
} Gate;

typedef struct Job Job;

/* A distorted video and its session. */
typedef struct Task {
    Job *job;
    Session *owner;
    FvSession *session;
    FvRunParams run;
    FvSource *distorted;
    FvAlignment *alignment;
    bool gated;
    FvError gate_error;
    FvStatus status;
    FvError error;
    FvProgress progress; /* the members from here on are protected by the job's lock */
    char limited_by[256];
    bool moved;
} Task;

struct Job {
    Task *tasks; /* tasks, all with the same reference */
    int count, threads;
    /* waits for the session of the only task, instead of scoring files; NULL: the job scores files */
    FvStatus (*waits)(FvSession *session, FvError *error);
    FvSource *reference;
    int usual;
    Gate *gates;
    int gate_count;
    const char *folder; /* keeps the finished parts of the only task, owned by Python; NULL: nothing is kept */
    Py_buffer view;
    const int64_t *frames; /* numbers of the frames to score, ascending, in `view`; NULL: all */
    Py_ssize_t frame_count;
    pthread_mutex_t lock;
    pthread_cond_t told;
    bool done; /* protected by the lock */
};

/* ---- In the thread of the job ---------------------------------------------------------------------------------- */

static FvStatus fail_scoring(FvError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static FvStatus fail_scoring(FvError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error->status = FV_ERROR_USAGE;
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return error->status;
}

static FvStatus add_gate(Task *task, const Gate *gate)
{
    const char *option = gate->above ? "fail_above" : "fail_below";
    const FvGate asked = {fv_session_find_output(task->session, gate->score), (FvPool)gate->pool, gate->above,
                          gate->limit};
    if (asked.output == -1) {
        char list[512] = "";
        for (int i = 0; i < fv_session_outputs(task->session); i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                     fv_session_output(task->session, i)->name);
        return fail_scoring(&task->gate_error, "%s: this run has no score '%s'; it has %s", option, gate->score,
                            list);
    }
    const FvOutputInfo *output = fv_session_output(task->session, asked.output);
    if (output->better != FV_NEITHER_IS_BETTER && (output->better == FV_LOWER_IS_BETTER) != gate->above)
        return fail_scoring(&task->gate_error, "%s: %s is better when it is %s; give it to %s", option, output->name,
                            fv_better_name(output->better), gate->above ? "fail_below" : "fail_above");
    if (output->sequence && asked.pool != FV_POOL_MEAN)
        return fail_scoring(&task->gate_error, "%s: %s is one value for the whole clip; leave out the pooling",
                            option, output->name);
    return fv_session_add_gate(task->session, &asked, &task->gate_error);
}

/* Adds the gates when the session has started, since its scores are known only then. false stops the scoring. */
static bool add_gates(Task *task)
{
    const Job *job = task->job;
    for (int i = 0; i < job->gate_count && !task->gated && !task->gate_error.status; i++)
        add_gate(task, &job->gates[i]);
    task->gated = true;
    return !task->gate_error.status;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Task *task = opaque;
    pthread_mutex_lock(&task->job->lock);
    task->progress = *progress; /* only the latest progress is kept, so that scoring never waits for Python */
    snprintf(task->limited_by, sizeof task->limited_by, "%s",
             progress->timing.limited_by ? progress->timing.limited_by : "");
    task->moved = true;
    pthread_mutex_unlock(&task->job->lock);
    /*
     * The session may start with the first frame only, and scores nothing itself if the folder keeps the task's
     * parts.
     */
    return !progress->frames || task->job->folder || add_gates(task);
}

static void on_log(void *opaque, FvLogLevel level, const char *message)
{
    events_line(&((Task *)opaque)->owner->events, level, message);
}

static bool is_chosen(void *opaque, int64_t frame)
{
    const Job *job = ((const Task *)opaque)->job;
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

static FvStatus add_usual(Task *task)
{
    FvStatus status = task->job->reference
                          ? FV_OK
                          : fail_scoring(&task->error, "reference is None: name metrics that need none, "
                                                       "such as metrics='cambi'");
    return status ? status
                  : fv_score_add_default(task->session, task->job->reference, task->distorted, &task->run.score,
                                         task->run.allow_hdr, &task->error);
}

/* Opens the task's video; the first task also opens the reference of all. */
static FvStatus prepare(Task *task)
{
    Job *job = task->job;
    FvRunParams *run = &task->run;
    const FvCrop *found = &job->tasks->run.score.crop[0];
    if (run->bars[0] && found->frames) { /* the first task has found the reference's bars */
        run->score.crop[0] = *found;
        run->bars[0] = false;
    }
    FvStatus status = fv_run_look(run, &task->alignment, &task->error);
    if (!status && run->source[0].path && !job->reference)
        status = fv_source_open(&job->reference, &run->source[0], &task->error);
    if (!status)
        status = fv_source_open(&task->distorted, &run->source[1], &task->error);
    return status || !job->usual ? status : add_usual(task);
}

/* Scores the tasks whose video could be opened. */
static void score_tasks(Job *job)
{
    FvEncode *encodes = calloc((size_t)job->count, sizeof *encodes);
    FvError error = {FV_ERROR_MEMORY, "out of memory for the list of encodes"};
    FvStatus status = encodes ? FV_OK : error.status;
    int count = 0;
    for (int i = 0; i < job->count && !status; i++)
        if (!job->tasks[i].status)
            encodes[count++] = (FvEncode){.session = job->tasks[i].session,
                                          .distorted = job->tasks[i].distorted,
                                          .params = &job->tasks[i].run.score};
    if (count)
        status = fv_score_encodes(encodes, count, job->reference, job->threads, &error);
    bool told = false;
    for (int i = 0; i < count; i++)
        told |= encodes[i].status != FV_OK;
    for (int i = 0, k = 0; i < job->count; i++) {
        Task *task = &job->tasks[i];
        if (task->status)
            continue;
        task->status = told ? encodes[k].status : status;
        task->error = told ? encodes[k].error : error;
        k++;
    }
    free(encodes);
}

/* Scores the parts that the folder lacks, and replaces the session by that of all parts. */
static FvStatus score_in_parts(Task *task)
{
    const Job *job = task->job;
    Session *owner = task->owner;
    const FvPlanParams params = {.session = task->session,
                                 .reference = job->reference,
                                 .distorted = task->distorted,
                                 .reference_params = job->reference ? &task->run.source[0] : NULL,
                                 .distorted_params = &task->run.source[1],
                                 .score = &task->run.score,
                                 .frames_per_shard = FV_RESUME_FRAMES};
    FvPlanRunParams scoring = {
        .session = task->run.session, .folder = job->folder, .progress = on_progress, .opaque = task};
    FvPlan *plan = NULL;
    FvPlanHold *hold = NULL;
    FvSession *merged = NULL;
    FvError kept;
    scoring.session.cancel = owner->cancel;
    scoring.session.log = on_log;
    scoring.session.opaque = task;
    FvStatus status = fv_plan_make(&plan, &params, &task->error);
    if (!status)
        status = fv_plan_hold(&hold, plan, job->folder, &task->error);
    if (!status)
        status = fv_plan_score(&merged, plan, &scoring, &task->error);
    if (merged) {
        fv_session_close(&owner->session);
        owner->session = owner->taking.session = task->session = merged;
    }
    /* If a gate names an unknown score, the parts stay in the folder for the next attempt. */
    if (merged && add_gates(task) && !status && fv_plan_clear(plan, job->folder, &kept))
        on_log(task, FV_LOG_WARNING, kept.message);
    fv_plan_release(&hold);
    fv_plan_close(&plan);
    return status;
}

static void score_job(Job *job)
{
    for (int i = 0; i < job->count; i++)
        job->tasks[i].status = prepare(&job->tasks[i]);
    Task *only = job->tasks;
    if (job->count > 1)
        score_tasks(job);
    else if (!only->status)
        only->status = job->folder
                           ? score_in_parts(only)
                           : fv_score(only->session, job->reference, only->distorted, &only->run.score, &only->error);
    for (int i = 0; i < job->count; i++) {
        Task *task = &job->tasks[i];
        if (task->gate_error.status) {
            task->error = task->gate_error;
            task->status = task->error.status;
        }
        fv_source_close(&task->distorted);
        fv_alignment_close(&task->alignment);
    }
    fv_source_close(&job->reference);
}

static void *run(void *opaque)
{
    Job *job = opaque;
    if (job->waits)
        job->tasks->status = job->waits(job->tasks->session, &job->tasks->error);
    else
        score_job(job);
    pthread_mutex_lock(&job->lock);
    job->done = true;
    pthread_cond_signal(&job->told);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/* ---- In Python's thread ---------------------------------------------------------------------------------------- */

static bool wait_for(Job *job)
{
    const struct timespec until = fv_time_in(CLOCK_REALTIME, WORK_PATIENCE);
    pthread_mutex_lock(&job->lock);
    if (!job->done)
        pthread_cond_timedwait(&job->told, &job->lock, &until);
    const bool done = job->done;
    pthread_mutex_unlock(&job->lock);
    return done;
}

/* Calls the receiver with the task's progress and, for several tasks, its number. */
static bool tell_progress(Task *task, PyObject *receiver)
{
    pthread_mutex_lock(&task->job->lock);
    const bool moved = task->moved;
    task->moved = false;
    const FvProgress progress = task->progress;
    char limited_by[sizeof task->limited_by];
    memcpy(limited_by, task->limited_by, sizeof limited_by);
    pthread_mutex_unlock(&task->job->lock);
    if (!moved || receiver == Py_None)
        return true;
    PyObject *result =
        PyObject_CallFunction(receiver, "iLLdz", (int)(task - task->job->tasks), (long long)progress.frames,
                              (long long)progress.total, progress.seconds, *limited_by ? limited_by : NULL);
    Py_XDECREF(result);
    return result != NULL;
}

static bool hand_out(Job *job, PyObject *progress)
{
    bool good = true;
    for (int i = 0; i < job->count && good; i++) {
        Session *owner = job->tasks[i].owner;
        good = events_deliver(&owner->events, owner->core, owner->log, owner->takers) &&
               tell_progress(&job->tasks[i], progress);
    }
    return good;
}

/*
 * Waits for the end of the job, and delivers its events. false after an exception, from a receiver or a signal
 * handler; the job has ended in any case.
 */
static bool wait_for_end(Job *job, PyObject *progress)
{
    bool good = true;
    for (bool done = false; !done;) {
        Py_BEGIN_ALLOW_THREADS
        done = wait_for(job);
        Py_END_ALLOW_THREADS
        if (!good)
            continue;
        const bool taken = hand_out(job, progress);
        good = taken && !PyErr_CheckSignals();
        if (!taken && job->waits) { /* pushed frames are scored nevertheless; queued events are delivered later */
            events_limit(&job->tasks->owner->events, 0);
            continue;
        }
        for (int i = 0; i < job->count && !good; i++) {
            fv_cancel_request(job->tasks[i].owner->cancel);
            events_quit(&job->tasks[i].owner->events);
        }
    }
    return good;
}

/* Runs the job. false after an exception. Each task holds its own result. */
static bool run_job(Job *job, PyObject *progress)
{
    pthread_t thread;
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->told, NULL);
    for (int i = 0; i < job->count; i++)
        events_limit(&job->tasks[i].owner->events, MAPS);
    const bool started = !pthread_create(&thread, NULL, run, job);
    const bool good = started && wait_for_end(job, progress);
    if (started)
        pthread_join(thread, NULL);
    else
        PyErr_NoMemory();
    for (int i = 0; i < job->count; i++)
        events_limit(&job->tasks[i].owner->events, 0);
    pthread_cond_destroy(&job->told);
    pthread_mutex_destroy(&job->lock);
    return good;
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

/* The arguments that score_job() and score_encodes() share. */
typedef struct Arguments {
    /* settings: a tuple for score_job(), a list of tuples for score_encodes() */
    PyObject *settings, *frames, *gates, *progress, *folder; /* folder: bytes, or None */
} Arguments;

/* Fills the task of one session, which the caller has entered. false after an exception. */
static bool read_task(Task *task, Session *owner, PyObject *reference, PyObject *distorted, PyObject *settings)
{
    FvScoreParams *params = &task->run.score;
    task->owner = owner;
    task->session = owner->session;
    const int named = fv_session_metrics(owner->session);
    int taking = task->job->usual ? USUAL_TAKERS : 0;
    for (int i = 0; i < named; i++)
        taking += fv_session_metric(owner->session, i)->takes_rgb;
    if (!videos_read(owner->core, &task->run, reference, distorted, settings,
                     task->job->usual ? USUAL_METRICS : named, taking))
        return false;
    params->progress = on_progress;
    params->opaque = task;
    if (task->job->frames)
        params->select = is_chosen;
    for (int side = 0; side < 2; side++) {
        task->run.source[side].scored_on = task->run.session.device ? task->run.session.device : "auto";
        task->run.source[side].cancel = owner->cancel;
    }
    return true;
}

/*
 * Makes a job, which job_free() frees. NULL after an exception. The job is on the heap because a daemon thread that
 * waits for it ends with the interpreter, while the job's thread continues.
 */
static Job *job_new(Py_ssize_t count)
{
    Job *job = PyMem_Calloc(1, sizeof *job);
    Task *tasks = job ? PyMem_Calloc((size_t)count, sizeof *tasks) : NULL;
    if (!tasks) {
        PyMem_Free(job);
        PyErr_NoMemory();
        return NULL;
    }
    job->tasks = tasks;
    job->count = (int)count;
    for (Py_ssize_t i = 0; i < count; i++)
        tasks[i].job = job;
    return job;
}

static void job_free(Job *job)
{
    if (job->view.obj)
        PyBuffer_Release(&job->view);
    PyMem_Free(job->gates);
    PyMem_Free(job->tasks);
    PyMem_Free(job);
}

/* Reads the keywords `words`, a tuple, into the job. False after an exception. */
static bool read_job(Job *job, Arguments *given, PyObject *words)
{
    if (!PyArg_ParseTuple(words, "OpOOOO", &given->settings, &job->usual, &given->frames, &given->gates,
                          &given->progress, &given->folder) ||
        (given->folder != Py_None && !(job->folder = PyBytes_AsString(given->folder))) ||
        (given->frames != Py_None && PyObject_GetBuffer(given->frames, &job->view, PyBUF_SIMPLE)) ||
        !read_gates(given->gates, job))
        return false;
    if (job->view.obj) {
        job->frames = job->view.buf;
        job->frame_count = job->view.len / 8;
    }
    return true;
}

/* Returns None, or raises the exception of the task's status and returns NULL. */
static PyObject *outcome(const Task *task)
{
    return task->status ? core_raise(task->owner->core, &task->error) : Py_NewRef(Py_None);
}

PyObject *session_score(PyObject *object, PyObject *args)
{
    Session *self = (Session *)object;
    PyObject *reference, *distorted, *words, *result = NULL;
    Arguments given;
    if (!PyArg_ParseTuple(args, "OOO!", &reference, &distorted, &PyTuple_Type, &words) || !session_enter(self))
        return NULL;
    Job *job = job_new(1);
    if (job && read_job(job, &given, words) && read_task(job->tasks, self, reference, distorted, given.settings)) {
        self->started = true;
        if (run_job(job, given.progress))
            result = outcome(job->tasks);
    }
    if (job)
        job_free(job);
    return session_leave(self, result);
}

PyObject *session_wait_for(PyObject *object, FvStatus (*waits)(FvSession *session, FvError *error))
{
    Session *self = (Session *)object;
    if (!session_enter(self))
        return NULL;
    Job *job = job_new(1);
    if (!job)
        return session_leave(self, NULL);
    job->waits = waits;
    job->tasks->owner = self;
    job->tasks->session = self->session;
    PyObject *result = run_job(job, Py_None) ? outcome(job->tasks) : NULL;
    job_free(job);
    return session_leave(self, result);
}

/* ---- Several encodes ------------------------------------------------------------------------------------------- */

/* Returns the exception of a task's status, or None if it succeeded. NULL after another exception. */
static PyObject *exception_of(const Task *task)
{
    PyObject *type, *value, *trace, *none = outcome(task);
    if (none)
        return none;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

static PyObject *outcomes_of(const Job *job)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < job->count; i++) {
        PyObject *exception = exception_of(&job->tasks[i]);
        if (!exception || PyList_Append(list, exception))
            Py_CLEAR(list);
        Py_XDECREF(exception);
    }
    return list;
}

/* Enters the sessions of both lists and runs them. */
static PyObject *score_all(Job *job, PyObject *sessions, PyObject *reference, PyObject *encodes,
                           const Arguments *given)
{
    int entered = 0;
    bool good = true;
    while (good && entered < job->count) {
        Session *session = (Session *)PyList_GetItem(sessions, entered);
        if (!session_enter(session))
            break;
        good = read_task(&job->tasks[entered], session, reference, PyList_GetItem(encodes, entered),
                         PyList_GetItem(given->settings, entered));
        entered++;
    }
    PyObject *result = NULL;
    if (good && entered == job->count && run_job(job, given->progress))
        result = outcomes_of(job);
    for (int i = 0; i < entered; i++)
        result = session_leave(job->tasks[i].owner, result);
    return result;
}

PyObject *session_score_encodes(PyObject *module, PyObject *args)
{
    const Core *core = PyModule_GetState(module);
    int threads;
    PyObject *sessions, *reference, *encodes, *words, *result = NULL;
    Arguments given;
    if (!PyArg_ParseTuple(args, "O!OO!O!i", &PyList_Type, &sessions, &reference, &PyList_Type, &encodes,
                          &PyTuple_Type, &words, &threads))
        return NULL;
    const Py_ssize_t count = PyList_Size(sessions);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!PyObject_TypeCheck(PyList_GetItem(sessions, i), core->session))
            return PyErr_Format(PyExc_TypeError, "sessions[%zd] is not a session", i);
    if (count < 1 || count != PyList_Size(encodes))
        return PyErr_Format(PyExc_ValueError, "%zd sessions are not for %zd encodes", count, PyList_Size(encodes));
    Job *job = job_new(count);
    if (!job)
        return NULL;
    job->threads = threads;
    PyObject *settings = PyTuple_Size(words) > 0 ? PyTuple_GetItem(words, 0) : NULL;
    if (!settings || !PyList_Check(settings) || PyList_Size(settings) != count)
        PyErr_SetString(PyExc_TypeError, "words do not begin with a list of the settings of each encode");
    else if (read_job(job, &given, words))
        result = score_all(job, sessions, reference, encodes, &given);
    job_free(job);
    return result;
}
