#include "session.h"

bool session_enter(Session *self)
{
    if (!core_is_here(self->process, "session"))
        return false;
    if (atomic_exchange(&self->busy, true)) {
        PyErr_SetString(PyExc_RuntimeError, "the session is in use by another thread");
        return false;
    }
    if (self->session)
        return true;
    atomic_store(&self->busy, false);
    PyErr_SetString(PyExc_ValueError, "the session is closed");
    return false;
}

PyObject *session_leave(Session *self, PyObject *result)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    held_tensors_free(&self->tensors);
    const bool good = events_deliver(&self->events, self->core, self->log, self->takers);
    atomic_store(&self->busy, false);
    if (type && !good)
        PyErr_Clear();
    if (type || good)
        PyErr_Restore(type, value, trace);
    if (!good)
        Py_CLEAR(result);
    return result;
}
