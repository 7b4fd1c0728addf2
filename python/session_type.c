#include "session_type.h"

#include <string.h>
#include <unistd.h>

#include "format.h"
#include "fovea/rgb.h"
#include "report.h"
#include "score.h"
#include "session.h"
#include "video.h"

static void pass_log(void *opaque, FvLogLevel level, const char *message)
{
    events_line(&((Session *)opaque)->events, level, message);
}

/* Adds the metrics that the caller names, then the models of the run. */
static bool add_metrics(Session *self, Core *core, const FvRunParams *run, PyObject *metrics)
{
    const Py_ssize_t count = PySequence_Size(metrics);
    const bool further = run->model_count || (run->roi && !count);
    for (Py_ssize_t i = 0; i < count + further; i++) {
        PyObject *item = i < count ? PySequence_GetItem(metrics, i) : NULL;
        const char *text = item ? core_text(item, "metrics") : NULL;
        FvError error = {0};
        FvStatus status = FV_OK;
        if (text || i == count) {
            Py_BEGIN_ALLOW_THREADS
            status = fv_run_add(self->session, run, text, &error);
            Py_END_ALLOW_THREADS
        }
        Py_XDECREF(item);
        if (status)
            core_raise(core, &error);
        if ((!text && i < count) || status)
            return false;
    }
    return count >= 0;
}

static PyObject *session_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"metrics", "settings", "prepares", "format", "log", NULL};
    PyObject *metrics, *settings, *format, *log;
    FvRunParams run = {.allow_hdr = false};
    int prepares;
    FvError error = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO!pOO", names, &metrics, &PyTuple_Type, &settings, &prepares,
                                     &format, &log))
        return NULL;
    Session *self = core_new(type);
    if (!self)
        return NULL;
    Core *core = self->core = core_of_type(type);
    events_open(&self->events);
    held_tensors_open(&self->tensors);
    self->taking = (Taking){.core = core, .tensors = &self->tensors};
    self->log = Py_NewRef(log);
    self->takers = PyList_New(0);
    self->process = (long)getpid();
    bool good = run_read(core, &run, settings) && self->takers &&
                (format == Py_None || format_read(core, &self->taking.known, &self->taking.has_chroma, format));
    FvStatus status = good ? fv_cancel_open(&self->cancel, &error) : FV_OK;
    if (good && !status && prepares)
        status = fv_run_settle(&run, 0, 0, false, &error);
    self->prepares = prepares;
    self->preparing = run.score;
    run.session.log = pass_log;
    run.session.opaque = self;
    run.session.cancel = self->cancel;
    if (good && !status) {
        Py_BEGIN_ALLOW_THREADS
        status = fv_session_open(&self->session, &run.session, &error);
        Py_END_ALLOW_THREADS
    }
    self->taking.session = self->session;
    if (status)
        core_raise(core, &error);
    good = good && !status && add_metrics(self, core, &run, metrics);
    PyObject *left = good ? session_leave(self, Py_NewRef(Py_None)) : NULL;
    Py_XDECREF(left);
    if (!left)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *session_close(PyObject *object, PyObject *unused)
{
    Session *self = (Session *)object;
    if (!self->session)
        Py_RETURN_NONE;
    if (!session_enter(self))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    fv_session_close(&self->session);
    events_drop(&self->events);
    Py_END_ALLOW_THREADS
    return session_leave(self, Py_NewRef(Py_None));
}

static int session_traverse(PyObject *object, visitproc visit, void *arg)
{
    Session *self = (Session *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->log);
    Py_VISIT(self->takers);
    return 0;
}

static int session_clear(PyObject *object)
{
    Session *self = (Session *)object;
    Py_CLEAR(self->log);
    Py_CLEAR(self->takers);
    return 0;
}

/* Closes the session, except in a forked child, where its threads do not exist; there its memory is not freed. */
static void session_dealloc(PyObject *object)
{
    Session *self = (Session *)object;
    PyObject_GC_UnTrack(object);
    if (self->process == (long)getpid()) {
        Py_BEGIN_ALLOW_THREADS
        fv_session_close(&self->session);
        fv_cancel_close(&self->cancel);
        fv_preparer_close(&self->preparer);
        fv_preparer_close(&self->ycbcr_preparer);
        Py_END_ALLOW_THREADS
        events_close(&self->events);
        held_tensors_close(&self->tensors);
    }
    session_clear(object);
    core_free(object);
}

static FvStatus run_preparer(Session *self, FvPreparer **preparer, FvFrame *pair[2], FvError *error)
{
    FvStatus status = *preparer ? FV_OK
                                : fv_preparer_open(preparer, self->session, pair[0] ? &pair[0]->format : NULL,
                                                   &pair[1]->format, &self->preparing, error);
    for (int side = !pair[0]; side < 2 && !status; side++) {
        FvFrame *prepared;
        status = fv_preparer_run(*preparer, (FvSide)side, pair[side], &prepared, error);
        fv_frame_unref(&pair[side]);
        pair[side] = prepared;
    }
    return status;
}

/* Replaces the frames of a pair, and their Y'CbCr variants, by the prepared frames that are compared. */
static FvStatus prepare_pair(Session *self, FvFrame *pair[2], FvError *error)
{
    FvFrame *ycbcr[2] = {NULL, NULL};
    if (!self->prepares)
        return FV_OK;
    for (int side = 0; side < 2; side++)
        ycbcr[side] = fv_frame_ycbcr(pair[side]) ? fv_frame_ref(fv_frame_ycbcr(pair[side])) : NULL;
    FvStatus status = run_preparer(self, &self->preparer, pair, error);
    if (!status && ycbcr[1])
        status = run_preparer(self, &self->ycbcr_preparer, ycbcr, error);
    for (int side = 0; side < 2; side++) {
        if (!status && ycbcr[side] && pair[side])
            status = fv_frame_set_ycbcr(&pair[side], ycbcr[side], error);
        else
            fv_frame_unref(&ycbcr[side]);
    }
    return status;
}

static FvStatus start_session(Session *self, const FvFrame *reference, const FvFrame *distorted, FvError *error)
{
    if (self->started)
        return FV_OK;
    FvStatus status = fv_session_start_frames(self->session, reference, distorted, error);
    self->started = !status;
    return status;
}

static PyObject *push_pair(Session *self, PyObject *reference, PyObject *distorted, long long number, bool skips)
{
    Core *core = self->core;
    FvFrame *pair[2] = {NULL, NULL};
    FvError error = {0};
    FvStatus status = FV_OK;
    const bool good = (reference == Py_None || frame_of(&self->taking, reference, "reference", &pair[0])) &&
                      frame_of(&self->taking, distorted, "distorted", &pair[1]);
    Py_BEGIN_ALLOW_THREADS
    if (good)
        status = prepare_pair(self, pair, &error);
    if (good && !status)
        status = start_session(self, pair[0], pair[1], &error);
    if (good && !status)
        status = (skips ? fv_session_skip : fv_session_push)(self->session, number, pair[0], pair[1], &error);
    fv_frame_unref(&pair[0]);
    fv_frame_unref(&pair[1]);
    Py_END_ALLOW_THREADS
    if (status)
        core_raise(core, &error);
    if (!good || status)
        return NULL;
    self->next = number + 1;
    Py_RETURN_NONE;
}

static PyObject *session_push(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"reference", "distorted", "number", "skip", NULL};
    Session *self = (Session *)object;
    PyObject *reference, *distorted, *given = Py_None, *skip = Py_False;
    long long number = 0;
    bool skips = false;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OO", names, &reference, &distorted, &given, &skip) ||
        !core_argument_flag(skip, "skip", &skips) ||
        (given != Py_None && !core_argument_whole(given, "number", &number)) || !session_enter(self))
        return NULL;
    if (given == Py_None)
        number = self->next;
    else if (number < self->next) {
        PyErr_Format(PyExc_ValueError, "number is %lld; numbers ascend, and the next pair has %lld or more", number,
                     self->next);
        return session_leave(self, NULL);
    }
    return session_leave(self, push_pair(self, reference, distorted, number, skips));
}

static bool has_pairs(const Session *self)
{
    if (!core_is_here(self->process, "session"))
        return false;
    if (!self->session || self->started)
        return true;
    PyErr_SetString(PyExc_ValueError, "no pair was pushed into the session");
    return false;
}

static PyObject *session_wait(PyObject *object, PyObject *unused)
{
    return has_pairs((Session *)object) ? session_wait_for(object, fv_session_wait) : NULL;
}

static PyObject *session_end(PyObject *object, PyObject *unused)
{
    return has_pairs((Session *)object) ? session_wait_for(object, fv_session_finish) : NULL;
}

static PyObject *session_cancel(PyObject *object, PyObject *unused)
{
    if (!core_is_here(((Session *)object)->process, "session"))
        return NULL;
    fv_cancel_request(((Session *)object)->cancel);
    Py_RETURN_NONE;
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

/*
 * The value of FvMapRequest.opaque: the session, and the receiver's index in its list. The list of receivers owns it.
 */
typedef struct Want {
    Session *session;
    int taker;
} Want;

static FvStatus take_map(void *opaque, const FvMap *map, FvError *error)
{
    const Want *want = opaque;
    return events_map(&want->session->events, want->taker, map,
                      fv_session_metric(want->session->session, map->metric)->name, error);
}

static void free_want(PyObject *capsule)
{
    PyMem_Free(PyCapsule_GetPointer(capsule, NULL));
}

static int find_map(const FvMetricInfo *metric, const char *name)
{
    for (int i = 0; metric && i < metric->map_count; i++)
        if (!strcmp(metric->maps[i].name, name))
            return i;
    return -1;
}

static PyObject *want_map(Session *self, const char *metric, const char *map, PyObject *take)
{
    FvMapRequest request = {.metric = -1, .on_map = take_map};
    FvError error = {0};
    for (int i = fv_session_metrics(self->session) - 1; i >= 0; i--)
        if (!strcmp(fv_session_metric(self->session, i)->name, metric))
            request.metric = i;
    if (request.metric < 0)
        return PyErr_Format(PyExc_ValueError, "the session has no metric '%s'", metric);
    request.map = find_map(fv_session_metric(self->session, request.metric), map);
    if (request.map < 0)
        return PyErr_Format(PyExc_ValueError, "%s has no map '%s'; fovea.metrics() lists its maps", metric, map);
    Want *want = PyMem_Malloc(sizeof *want);
    if (!want)
        return PyErr_NoMemory();
    *want = (Want){self, (int)PyList_Size(self->takers)};
    request.opaque = want;
    PyObject *owner = PyCapsule_New(want, NULL, free_want);
    const bool good = owner && !PyList_Append(self->takers, take) && !PyList_Append(self->takers, owner);
    Py_XDECREF(owner);
    if (!good)
        return NULL;
    if (fv_session_want_map(self->session, &request, &error))
        return core_raise(self->core, &error);
    Py_RETURN_NONE;
}

static PyObject *session_want_map(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"metric", "map", "take", NULL};
    const char *metric, *map;
    PyObject *take;
    Session *self = (Session *)object;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ssO", names, &metric, &map, &take) || !session_enter(self))
        return NULL;
    return session_leave(self, want_map(self, metric, map, take));
}

/* ---- Scores --------------------------------------------------------------------------------------------------- */

static PyObject *session_rows(PyObject *object, PyObject *args)
{
    long long first;
    Session *self = (Session *)object;
    if (!PyArg_ParseTuple(args, "L", &first) || !session_enter(self))
        return NULL;
    PyObject *rows = report_rows(self->session, first);
    return session_leave(self, rows);
}

static PyObject *session_report(PyObject *object, PyObject *unused)
{
    Session *self = (Session *)object;
    if (!session_enter(self))
        return NULL;
    PyObject *report = report_of(((Session *)object)->core, self->session);
    return session_leave(self, report);
}

static PyObject *session_frames(PyObject *object, void *unused)
{
    Session *self = (Session *)object;
    if (!session_enter(self))
        return NULL;
    const int64_t frames = fv_session_frames(self->session);
    atomic_store(&self->busy, false);
    return PyLong_FromLongLong(frames);
}

static PyObject *session_memory(PyObject *object, void *unused)
{
    Session *self = (Session *)object;
    if (!self->session)
        return PyLong_FromLong(0);
    if (!session_enter(self))
        return NULL;
    const uint64_t memory = fv_session_memory(self->session);
    atomic_store(&self->busy, false);
    return PyLong_FromUnsignedLongLong(memory);
}

static PyObject *session_closed(PyObject *object, void *unused)
{
    return PyBool_FromLong(!((Session *)object)->session);
}

static PyMethodDef session_methods[] = {
    {"push", (PyCFunction)(void (*)(void))session_push, METH_VARARGS | METH_KEYWORDS,
     "push($self, reference, distorted, number=None, skip=False)\n--\n\n"
     "Hands over a pair of frames, which are scored in the order of the calls. Each is a fovea.Frame (nothing is "
     "copied),\n"
     "or a list of planes [Y] or [Y, Cb, Cr]: arrays of height x width, uint8, or uint16 with Format.depth bits, by "
     "the\n"
     "buffer protocol or DLPack, with any distance from row to row (copied once, without the GIL). reference may be "
     "None\n"
     "for metrics that need none. number is the frame's in reports; by default they count from 0. skip: metrics that "
     "look\n"
     "back see the pair, and it is not scored. Waits while as many pairs as in_flight are in work.\n\n"
     "Raises TypeError, ValueError or BufferError that names the argument; InputError where the pair does not fit "
     "the\n"
     "pairs before."},
    {"wait", session_wait, METH_NOARGS, "Waits until all work on the pushed frames is done. More frames may follow."},
    {"_finish", session_end, METH_NOARGS, NULL},
    {"_report", session_report, METH_NOARGS, NULL},
    {"_rows", session_rows, METH_VARARGS, NULL},
    {"_score", session_score, METH_VARARGS, NULL},
    {"_want_map", (PyCFunction)(void (*)(void))session_want_map, METH_VARARGS | METH_KEYWORDS, NULL},
    {"cancel", session_cancel, METH_NOARGS,
     "Ends what the session does, from any thread, between two frames: score(), push_pair(), wait() and finish(), "
     "which "
     "raise\n"
     "PartialError. It cannot be taken back."},
    {"close", session_close, METH_NOARGS,
     "Ends all work and releases threads, memory and device. A second call does nothing."},
    {0},
};
static PyGetSetDef session_members[] = {
    {"_scored", session_frames, NULL, NULL, NULL},
    {"closed", session_closed, NULL, "Whether close() was called, or finish().", NULL},
    {"memory", session_memory, NULL,
     "The most bytes that the session takes for frames and work; 0 before the first pair.", NULL},
    {0},
};
static PyType_Slot session_slots[] = {
    {Py_tp_new, session_new},
    {Py_tp_dealloc, session_dealloc},
    {Py_tp_methods, session_methods},
    {Py_tp_getset, session_members},
    {Py_tp_traverse, session_traverse},
    {Py_tp_clear, session_clear},
    {0},
};
PyType_Spec session_spec = {"fovea._fovea.Session", sizeof(Session), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, session_slots};
