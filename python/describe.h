/* What the library has: metrics and devices, as Python's objects. */
#pragma once

#include "core.h"

/* A list of dicts, with lists of dicts for options, outputs and maps. */
PyObject *describe_metrics(PyObject *module, PyObject *unused);

/* The table of fovea/param.h: a list of dictionaries. */
PyObject *describe_params(PyObject *module, PyObject *unused);

/* Whether fv_run_set() takes a name and a value; else its exception. */
PyObject *describe_check(PyObject *module, PyObject *args);

PyObject *describe_devices(PyObject *module, PyObject *unused);

/* The processors that this process may use. */
PyObject *describe_processors(PyObject *module, PyObject *unused);
