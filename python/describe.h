/* Describes the library's metrics, parameters and devices as Python objects. */
#pragma once

#include "core.h"

/* Returns the metrics: a list of dicts, with lists of dicts for options, outputs and maps. */
PyObject *describe_metrics(PyObject *module, PyObject *unused);

/* Returns the table of fovea/param.h: a list of dicts. */
PyObject *describe_params(PyObject *module, PyObject *unused);

/* Checks that fv_run_set() accepts a name and a value; else raises its exception. */
PyObject *describe_check(PyObject *module, PyObject *args);

PyObject *describe_devices(PyObject *module, PyObject *unused);

/* Returns the number of processors that this process may use. */
PyObject *describe_processors(PyObject *module, PyObject *unused);
