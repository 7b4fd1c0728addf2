#include "core.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

Core *core_of(PyObject *object)
{
    return PyType_GetModuleState(Py_TYPE(object));
}

Core *core_of_type(PyTypeObject *type)
{
    Core *core = NULL;
    for (; type && !core; type = PyType_GetSlot(type, Py_tp_base))
        if (!(core = PyType_GetModuleState(type)))
            PyErr_Clear(); /* a class that Python code defines belongs to no C module */
    return core;
}

bool core_is_here(long process, const char *name)
{
    if (process == (long)getpid())
        return true;
    PyErr_Format(PyExc_RuntimeError, "the %s belongs to the process that was forked: open one in the child", name);
    return false;
}

PyObject *core_raise(const Core *core, const FvError *error)
{
    const FvStatus status =
        error->status >= FV_ERROR_USAGE && error->status <= FV_ERROR_MEMORY ? error->status : FV_ERROR_MEMORY;
    PyObject *code = PyUnicode_FromString(*fv_error_code(error) ? fv_error_code(error) : "out-of-memory");
    PyObject *raised =
        code ? PyObject_CallFunction(core->errors[status], "s", *error->message ? error->message : "out of memory")
             : NULL;
    if (raised && !PyObject_SetAttrString(raised, "code", code))
        PyErr_SetObject(core->errors[status], raised);
    Py_XDECREF(raised);
    Py_XDECREF(code);
    return NULL;
}

void *core_new(PyTypeObject *type)
{
    const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void core_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

bool core_attribute_int(PyObject *object, const char *name, int *value)
{
    PyObject *attribute = PyObject_GetAttrString(object, name);
    *value = 0;
    const bool good = attribute && (attribute == Py_None || core_argument_int(attribute, name, value));
    Py_XDECREF(attribute);
    return good;
}

const char *core_text(PyObject *string, const char *name)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(string, &size);
    if (text && strlen(text) == (size_t)size)
        return text;
    if (!text && !PyErr_ExceptionMatches(PyExc_UnicodeError))
        return NULL;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s has %s character: %R", name, text ? "a null" : "half a", string);
    return NULL;
}

bool core_argument_text(PyObject *object, const char *name, bool optional, const char **text)
{
    *text = NULL;
    if (optional && object == Py_None)
        return true;
    if (PyUnicode_Check(object))
        *text = core_text(object, name);
    else
        PyErr_Format(PyExc_TypeError, "%s is %R; it must be a string%s", name, object, optional ? " or None" : "");
    return *text != NULL;
}

bool core_argument_whole(PyObject *object, const char *name, long long *value)
{
    int beyond = 0;
    PyObject *index = PyBool_Check(object) ? NULL : PyNumber_Index(object);
    *value = index ? PyLong_AsLongLongAndOverflow(index, &beyond) : 0;
    Py_XDECREF(index);
    if (!index && (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError))) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s is %R; it must be a whole number", name, object);
    } else if (beyond)
        PyErr_Format(PyExc_ValueError, "%s is out of range: %R", name, object);
    return !PyErr_Occurred();
}

bool core_argument_int(PyObject *object, const char *name, int *value)
{
    long long number;
    if (!core_argument_whole(object, name, &number))
        return false;
    *value = (int)number;
    if (number < INT_MIN || number > INT_MAX)
        PyErr_Format(PyExc_ValueError, "%s is out of range: %R", name, object);
    return !PyErr_Occurred();
}

bool core_argument_flag(PyObject *object, const char *name, bool *value)
{
    const bool known = PyLong_Check(object); /* True and False are whole numbers, too */
    *value = known && PyObject_IsTrue(object);
    if (!known)
        PyErr_Format(PyExc_TypeError, "%s is %R; it must be True or False", name, object);
    return known;
}

bool core_attribute_text(PyObject *object, const char *name, const char **text)
{
    PyObject *attribute = PyObject_GetAttrString(object, name);
    *text = NULL;
    if (attribute && attribute != Py_None && !PyUnicode_Check(attribute))
        PyErr_Format(PyExc_TypeError, "%s is a string or None", name);
    else if (attribute && attribute != Py_None)
        *text = core_text(attribute, name);
    Py_XDECREF(attribute); /* the object still holds a reference */
    return !PyErr_Occurred();
}
