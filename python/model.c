#include "model.h"

typedef struct Model {
    PyObject_HEAD Core *core;
    FvModel *model; /* never changes, so that any number of threads may use it */
} Model;

static PyObject *model_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"version", "path", NULL};
    FvModelParams params = {NULL, NULL};
    PyObject *path = NULL;
    FvError error = {0};
    FvStatus status;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|zO&", names, &params.version, PyUnicode_FSConverter, &path))
        return NULL;
    params.path = path ? PyBytes_AsString(path) : NULL;
    Model *self = core_new(type);
    if (self) {
        self->core = core_of_type(type);
        Py_BEGIN_ALLOW_THREADS
        status = fv_model_open(&self->model, &params, &error);
        Py_END_ALLOW_THREADS
        if (status) {
            core_raise(self->core, &error);
            Py_CLEAR(self);
        }
    }
    Py_XDECREF(path);
    return (PyObject *)self;
}

static void model_dealloc(PyObject *object)
{
    fv_model_close(&((Model *)object)->model);
    core_free(object);
}

/* Returns a feature as (name, {option: value}). */
static PyObject *feature_of(const FvModelFeature *feature)
{
    PyObject *options = PyDict_New();
    for (const FvModelOption *option = feature->options; options && option->name; option++) {
        PyObject *value = PyUnicode_FromString(option->value);
        if (!value || PyDict_SetItemString(options, option->name, value))
            Py_CLEAR(options);
        Py_XDECREF(value);
    }
    return options ? Py_BuildValue("(sN)", feature->name, options) : NULL;
}

static PyObject *model_features(PyObject *object, void *unused)
{
    const FvModel *model = ((Model *)object)->model;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < fv_model_features(model); i++) {
        PyObject *feature = feature_of(fv_model_feature(model, i));
        if (!feature || PyList_Append(list, feature))
            Py_CLEAR(list);
        Py_XDECREF(feature);
    }
    return list;
}

static PyObject *model_values(PyObject *object, void *unused)
{
    return PyLong_FromLong(fv_model_values(((Model *)object)->model));
}

/* Returns the scores of `count` rows, as bytes. */
static PyObject *score_rows(Model *self, const double *rows, Py_ssize_t count, FvModelFlags flags)
{
    const int features = fv_model_features(self->model), values = fv_model_values(self->model);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * values * (Py_ssize_t)sizeof(double));
    double *to = bytes ? (double *)(void *)PyBytes_AsString(bytes) : NULL;
    FvError error = {0};
    FvStatus status = FV_OK;
    if (!bytes)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count && !status; i++)
        status = fv_model_score(self->model, flags, rows + i * features, to + i * values, &error);
    Py_END_ALLOW_THREADS
    if (status) {
        Py_DECREF(bytes);
        return core_raise(self->core, &error);
    }
    return bytes;
}

static PyObject *model_score(PyObject *object, PyObject *args)
{
    Model *self = (Model *)object;
    PyObject *rows, *result = NULL;
    int disable, enable;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "Opp", &rows, &disable, &enable) || PyObject_GetBuffer(rows, &view, PyBUF_SIMPLE))
        return NULL;
    const Py_ssize_t row = fv_model_features(self->model) * (Py_ssize_t)sizeof(double);
    if (view.len % row)
        PyErr_Format(PyExc_ValueError, "the features take %zd values a frame", row / (Py_ssize_t)sizeof(double));
    else
        result = score_rows(self, view.buf, view.len / row,
                            (FvModelFlags){.disable_clip = disable, .enable_transform = enable});
    PyBuffer_Release(&view);
    return result;
}

static PyMethodDef model_methods[] = {{"_score", model_score, METH_VARARGS, NULL}, {0}};
static PyGetSetDef model_members[] = {
    {"_features", model_features, NULL, NULL, NULL}, {"_values", model_values, NULL, NULL, NULL}, {0}};
static PyType_Slot model_slots[] = {{Py_tp_new, model_new},
                                    {Py_tp_dealloc, model_dealloc},
                                    {Py_tp_methods, model_methods},
                                    {Py_tp_getset, model_members},
                                    {0}};
PyType_Spec model_spec = {"fovea._fovea.Model", sizeof(Model), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                          model_slots};
