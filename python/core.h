/* The state of the extension, and the parts that its files share. Only the public headers, and of CPython the stable
 * ABI of 3.11. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "fovea/fovea.h"
#include "fovea/param.h"

/* Of one interpreter. */
typedef struct Core {
    PyTypeObject *frame, *plane, *map, *session, *pairs, *still, *model;
    PyObject *errors[FV_ERROR_MEMORY + 1]; /* the class of each status */
    PyObject *format;                      /* fovea.Format */
} Core;

/* Of an object of one of these types itself. */
Core *core_of(PyObject *object);

/* Of such a type, or of a class that Python derives from it. */
Core *core_of_type(PyTypeObject *type);

/* Whether this is the process that opened the object, not one that was forked. False after an exception. */
bool core_is_here(long process, const char *name);

/* Raises the exception of the status with the library's message. NULL. */
PyObject *core_raise(const Core *core, const FvError *error);

/* A new object of the type, all zero behind its head. */
void *core_new(PyTypeObject *type);

/* The end of a tp_dealloc. */
void core_free(PyObject *object);

/* The text of a string, which the string keeps. NULL after an exception that names what it is. */
const char *core_text(PyObject *string, const char *name);

/* Attributes of Python objects. False after an exception that names the attribute. */
bool core_attribute_int(PyObject *object, const char *name, int *value);         /* None: 0 */
bool core_attribute_text(PyObject *object, const char *name, const char **text); /* None: NULL. The object's own */
