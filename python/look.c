#include "look.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "frame.h"
#include "map.h"
#include "metric_text.h"
#include "stop.h"
#include "video.h"
#include "work.h"

typedef struct Pairs {
    PyObject_HEAD Core *core;
    FvPairs *pairs; /* NULL: closed */
    FvAlignment *alignment;
    PyObject *videos; /* fovea.Video objects, whose strings the library uses later, and the Stop */
    atomic_bool busy;
    long process; /* process that opened the pairs */
} Pairs;

typedef struct Still {
    PyObject_HEAD Core *core;
    FvStill *still; /* NULL: closed */
    PyObject *stop; /* the Stop whose request ends map() and scores() */
    Taking taking;
    atomic_bool busy;
    long process; /* process that opened the still */
} Still;

/* Marks the object as busy, if it is open and not busy. false after an exception. */
static bool enter(atomic_bool *busy, const void *open, long process, const char *name)
{
    if (!core_is_here(process, name))
        return false;
    if (atomic_exchange(busy, true)) {
        PyErr_Format(PyExc_RuntimeError, "the %s is in use by another thread", name);
        return false;
    }
    if (!open) {
        atomic_store(busy, false);
        PyErr_Format(PyExc_ValueError, "the %s is closed", name);
    }
    return open != NULL;
}

static PyObject *leave(atomic_bool *busy, PyObject *result)
{
    atomic_store(busy, false);
    return result;
}

/* ---- Pairs ---------------------------------------------------------------------------------------------------- */

/* The work before the pairs can be opened: it finds bars and the alignment, in files that may be pipes. */
typedef struct Opening {
    Work work;
    FvRunParams run;
    FvAlignment *alignment;
    FvPairs *pairs;
} Opening;

static FvStatus open_pairs(Work *work, FvError *error)
{
    Opening *own = (Opening *)work;
    FvRunParams *run = &own->run;
    for (int side = 0; side < 2; side++)
        run->source[side].cancel = work->cancel;
    FvStatus status = fv_run_look(run, &own->alignment, error);
    return status ? status
                  : fv_pairs_open(&own->pairs, run->source[0].path ? &run->source[0] : NULL, &run->source[1],
                                  &run->score, error);
}

static PyObject *pairs_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"reference", "distorted", "settings", "stop", NULL};
    PyObject *reference, *distorted, *settings, *stop;
    Core *core = core_of_type(type);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO!O", names, &reference, &distorted, &PyTuple_Type, &settings,
                                     &stop))
        return NULL;
    Opening *opening = work_new(core, sizeof *opening, open_pairs, stop);
    Pairs *self = opening ? core_new(type) : NULL;
    if (self) {
        self->core = core;
        self->process = (long)getpid();
        const bool good =
            videos_read(core, &opening->run, reference, distorted, settings, USUAL_METRICS, USUAL_TAKERS) &&
            work_do(&opening->work, core);
        self->pairs = opening->pairs;
        self->alignment = opening->alignment;
        self->videos = PyTuple_Pack(4, reference, distorted, settings, stop);
        if (!good || !self->videos)
            Py_CLEAR(self);
    }
    work_free((Work *)opening);
    return (PyObject *)self;
}

static PyObject *pairs_read(PyObject *object, PyObject *argument)
{
    Pairs *self = (Pairs *)object;
    FvFrame *frames[2] = {NULL, NULL};
    FvError error = {0};
    FvStatus status;
    const long long number = PyLong_AsLongLong(argument);
    if ((number == -1 && PyErr_Occurred()) || !enter(&self->busy, self->pairs, self->process, "pairs"))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = fv_pairs_read(self->pairs, number, frames, &error);
    Py_END_ALLOW_THREADS
    atomic_store(&self->busy, false);
    if (status == FV_END)
        return PyErr_Format(PyExc_IndexError, "pair %lld is beyond the last one", number);
    if (status)
        return core_raise(self->core, &error);
    PyObject *reference = frames[0] ? frame_wrap(self->core, frames[0]) : Py_NewRef(Py_None);
    PyObject *distorted = frame_wrap(self->core, frames[1]);
    if (reference && distorted)
        return Py_BuildValue("(NN)", reference, distorted);
    Py_XDECREF(reference);
    Py_XDECREF(distorted);
    return NULL;
}

static void let_go(Pairs *pairs)
{
    fv_pairs_close(&pairs->pairs);
    fv_alignment_close(&pairs->alignment);
}

static PyObject *pairs_close(PyObject *object, PyObject *unused)
{
    Pairs *self = (Pairs *)object;
    if (!self->pairs)
        Py_RETURN_NONE;
    if (!enter(&self->busy, self->pairs, self->process, "pairs"))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    let_go(self);
    Py_END_ALLOW_THREADS
    return leave(&self->busy, Py_NewRef(Py_None));
}

static void pairs_dealloc(PyObject *object)
{
    Pairs *self = (Pairs *)object;
    if (self->process == (long)getpid()) { /* in a forked process, the threads do not exist */
        Py_BEGIN_ALLOW_THREADS
        let_go(self);
        Py_END_ALLOW_THREADS
    }
    Py_XDECREF(self->videos);
    core_free(object);
}

static PyMethodDef pairs_methods[] = {
    {"read", pairs_read, METH_O,
     "read($self, number, /)\n--\n\n"
     "The pair with this number: (reference or None, distorted), each a Frame. IndexError beyond the last one."},
    {"close", pairs_close, METH_NOARGS, "Closes the files. A second call does nothing."},
    {0},
};
static PyType_Slot pairs_slots[] = {
    {Py_tp_new, pairs_new}, {Py_tp_dealloc, pairs_dealloc}, {Py_tp_methods, pairs_methods}, {0}};
PyType_Spec pairs_spec = {"fovea._fovea.Pairs", sizeof(Pairs), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                          pairs_slots};

/* ---- Still ---------------------------------------------------------------------------------------------------- */

/* Gets both frames of a pair; the caller owns the references. false after an exception, without frames. */
static bool take_pair(Still *self, PyObject *reference, PyObject *distorted, FvFrame *frames[2])
{
    frames[0] = frames[1] = NULL;
    if ((reference == Py_None || frame_of(&self->taking, reference, "reference", &frames[0])) &&
        frame_of(&self->taking, distorted, "distorted", &frames[1]))
        return true;
    fv_frame_unref(&frames[0]);
    return false;
}

static PyObject *still_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"reference", "distorted", "stop", "device", "isa", "threads", "format", NULL};
    PyObject *reference, *distorted, *stop, *format = Py_None;
    FvStillParams params = {0};
    FvFrame *frames[2];
    FvError error = {0};
    FvStatus status = FV_OK;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO|$zziO", names, &reference, &distorted, &stop, &params.device,
                                     &params.isa, &params.threads, &format) ||
        !(params.cancel = stop_cancel(core_of_type(type), stop)))
        return NULL;
    Still *self = core_new(type);
    if (!self)
        return NULL;
    self->core = self->taking.core = core_of_type(type);
    self->stop = Py_NewRef(stop);
    self->process = (long)getpid();
    const bool good =
        (format == Py_None || format_read(self->core, &self->taking.known, &self->taking.has_chroma, format)) &&
        take_pair(self, reference, distorted, frames);
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        status = fv_still_open(&self->still, &params, frames[0], frames[1], &error);
        fv_frame_unref(&frames[0]);
        fv_frame_unref(&frames[1]);
        Py_END_ALLOW_THREADS
    }
    if (status)
        core_raise(self->core, &error);
    if (!good || status)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *still_pair(PyObject *object, PyObject *args)
{
    Still *self = (Still *)object;
    PyObject *reference, *distorted;
    FvFrame *frames[2];
    FvError error = {0};
    FvStatus status;
    if (!PyArg_ParseTuple(args, "OO", &reference, &distorted) ||
        !enter(&self->busy, self->still, self->process, "still"))
        return NULL;
    if (!take_pair(self, reference, distorted, frames))
        return leave(&self->busy, NULL);
    Py_BEGIN_ALLOW_THREADS
    status = fv_still_pair(self->still, frames[0], frames[1], &error);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    Py_END_ALLOW_THREADS
    return leave(&self->busy, status ? core_raise(self->core, &error) : Py_NewRef(Py_None));
}

static PyObject *still_map(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"metric", "name", NULL};
    Still *self = (Still *)object;
    PyObject *metric_given, *name_given = Py_None;
    const char *metric, *name;
    FvMap map;
    FvError error = {0};
    FvStatus status;
    float *numbers = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", names, &metric_given, &name_given) ||
        !core_argument_text(metric_given, "metric", false, &metric) ||
        !core_argument_text(name_given, "name", true, &name))
        return NULL;
    const FvMetricInfo *info = fv_metric_named(metric, strcspn(metric, "="));
    if (!name && info && !info->map_count)
        return PyErr_Format(PyExc_ValueError, "%s has no maps", info->name);
    if (!enter(&self->busy, self->still, self->process, "still"))
        return NULL;
    if (!name)
        name = info ? info->maps[0].name : "";
    Py_BEGIN_ALLOW_THREADS
    status = fv_still_map(self->still, metric, name, &map, &error);
    if (!status)
        numbers = map_copy(&map);
    Py_END_ALLOW_THREADS
    return leave(&self->busy,
                 status ? core_raise(self->core, &error) : map_make(self->core, numbers, &map, info->name));
}

static PyObject *values_of(const FvStill *still, const FvMetricInfo *info)
{
    PyObject *values = PyDict_New();
    for (int i = 0; values && i < info->output_count; i++) {
        PyObject *value = PyFloat_FromDouble(fv_still_value(still, info->outputs[i].name));
        const bool is_there = value && PyFloat_AsDouble(value) == PyFloat_AsDouble(value);
        if (!value || (is_there && PyDict_SetItemString(values, info->outputs[i].name, value)))
            Py_CLEAR(values);
        Py_XDECREF(value);
    }
    return values;
}

static PyObject *still_scores(PyObject *object, PyObject *args)
{
    Still *self = (Still *)object;
    PyObject *given;
    const char *metric;
    FvError error = {0};
    FvStatus status;
    if (!PyArg_ParseTuple(args, "O", &given) || !core_argument_text(given, "metric", false, &metric) ||
        !enter(&self->busy, self->still, self->process, "still"))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = fv_still_map(self->still, metric, NULL, NULL, &error);
    Py_END_ALLOW_THREADS
    return leave(&self->busy, status ? core_raise(self->core, &error)
                                     : values_of(self->still, fv_metric_named(metric, strcspn(metric, "="))));
}

static PyObject *still_close(PyObject *object, PyObject *unused)
{
    Still *self = (Still *)object;
    if (!self->still)
        Py_RETURN_NONE;
    if (!enter(&self->busy, self->still, self->process, "still"))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    fv_still_close(&self->still);
    Py_END_ALLOW_THREADS
    return leave(&self->busy, Py_NewRef(Py_None));
}

static void still_dealloc(PyObject *object)
{
    Still *self = (Still *)object;
    if (self->process == (long)getpid()) {
        Py_BEGIN_ALLOW_THREADS
        fv_still_close(&self->still);
        Py_END_ALLOW_THREADS
    }
    Py_XDECREF(self->stop);
    core_free(object);
}

static PyMethodDef still_methods[] = {
    {"map", (PyCFunction)(void (*)(void))still_map, METH_VARARGS | METH_KEYWORDS,
     "map($self, metric, name=None)\n--\n\n"
     "The Map `name` of a metric with options, as \"vdm=distance_h=1.6\"; name None: its first."},
    {"scores", still_scores, METH_VARARGS,
     "scores($self, metric, /)\n--\n\nThe scores of a metric with options, by name, as the metric names them."},
    {"pair", still_pair, METH_VARARGS,
     "pair($self, reference, distorted, /)\n--\n\nReplaces the pair by another of the same format."},
    {"close", still_close, METH_NOARGS, "Releases memory and device. A second call does nothing."},
    {0},
};
static PyType_Slot still_slots[] = {
    {Py_tp_new, still_new}, {Py_tp_dealloc, still_dealloc}, {Py_tp_methods, still_methods}, {0}};
PyType_Spec still_spec = {"fovea._fovea.Still", sizeof(Still), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                          still_slots};
