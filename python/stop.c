#include "stop.h"

typedef struct Stop {
    PyObject_HEAD FvCancel *cancel;
} Stop;

FvCancel *stop_cancel(const Core *core, PyObject *stop)
{
    if (PyObject_TypeCheck(stop, core->stop))
        return ((Stop *)stop)->cancel;
    PyErr_SetString(PyExc_TypeError, "stop is not a Stop");
    return NULL;
}

static PyObject *stop_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    FvError error = {0};
    Stop *self = core_new(type);
    if (self && fv_cancel_open(&self->cancel, &error)) {
        core_raise(core_of_type(type), &error);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static void stop_dealloc(PyObject *self)
{
    fv_cancel_close(&((Stop *)self)->cancel);
    core_free(self);
}

static PyObject *stop_request(PyObject *self, PyObject *unused)
{
    fv_cancel_request(((Stop *)self)->cancel);
    Py_RETURN_NONE;
}

static PyMethodDef stop_methods[] = {
    {"cancel", stop_request, METH_NOARGS, "Makes the request, from any thread. It cannot be taken back."},
    {0},
};
static PyType_Slot stop_slots[] = {
    {Py_tp_new, stop_new}, {Py_tp_dealloc, stop_dealloc}, {Py_tp_methods, stop_methods}, {0}};
PyType_Spec stop_spec = {"fovea._fovea.Stop", sizeof(Stop), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, stop_slots};
