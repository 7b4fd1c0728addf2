/*
 * The state of the extension, and the functions that its files share. The extension uses only fovea's public headers
 * and CPython's stable ABI of 3.11.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "fovea/fovea.h"
#include "fovea/param.h"

/* The state of the module in one interpreter. */
typedef struct Core {
    PyTypeObject *frame, *plane, *map, *session, *pairs, *still, *stop, *model;
    PyObject *errors[FV_ERROR_MEMORY + 1]; /* the exception class of each status */
    PyObject *format;                      /* the class fovea.Format */
} Core;

/* Returns the state for an object whose type is one of the module's types, not a derived class. */
Core *core_of(PyObject *object);

/* Returns the state for one of the module's types, or for a class that Python code derives from one. */
Core *core_of_type(PyTypeObject *type);

/* Checks that this is the process that opened the object, not a fork of it. false after an exception. */
bool core_is_here(long process, const char *name);

/* Raises the exception of the error's status, with the library's message. Returns NULL. */
PyObject *core_raise(const Core *core, const FvError *error);

/* Makes an object of the type, zeroed after its Python header. */
void *core_new(PyTypeObject *type);

/* Frees an object, as the last step of a tp_dealloc. */
void core_free(PyObject *object);

/* Returns the text of a string, which owns it. NULL after an exception that contains `name`. */
const char *core_text(PyObject *string, const char *name);

/*
 * Read arguments of a call. false after an exception that contains `name`. The object owns the text; of None it is
 * NULL, where `optional` allows that.
 */
bool core_argument_text(PyObject *object, const char *name, bool optional, const char **text);
bool core_argument_int(PyObject *object, const char *name, int *value);
bool core_argument_whole(PyObject *object, const char *name, long long *value);
bool core_argument_flag(PyObject *object, const char *name, bool *value);

/*
 * Read attributes of Python objects; None gives 0 or NULL. false after an exception that names the attribute. The
 * object owns the text.
 */
bool core_attribute_int(PyObject *object, const char *name, int *value);
bool core_attribute_text(PyObject *object, const char *name, const char **text);
