/* Functions of the module that need no session: BD-rate, bars, alignment, and the test of a device. */
#pragma once

#include "core.h"

PyObject *alone_bd_rate(PyObject *module, PyObject *args);
PyObject *alone_methods(void); /* returns a tuple of the names of FvBdMethod */
PyObject *alone_find_bars(PyObject *module, PyObject *args);
PyObject *alone_align(PyObject *module, PyObject *args);
PyObject *alone_verify_device(PyObject *module, PyObject *args);
