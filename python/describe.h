/* What the library has: metrics and devices, as Python's objects. */
#pragma once

#include "core.h"

/* A list of dicts, with lists of dicts for options, outputs and maps. */
PyObject *describe_metrics(PyObject *module, PyObject *unused);

PyObject *describe_devices(PyObject *module, PyObject *unused);

/* The processors that this process may use. */
PyObject *describe_processors(PyObject *module, PyObject *unused);
