/* Scores and reports of a session as Python's objects. */
#pragma once

#include "core.h"

/* (the JSON report, {"frame": int64s, score: float64s, ...}), all as bytes. Without the GIL where it can. */
PyObject *report_of(Core *core, FvSession *session);

/* [(number, (score, ...)), ...] from the `first` scored frame on. */
PyObject *report_rows(const FvSession *session, int64_t first);

/* Of a JSON report in a file, as report_of: (path as bytes). */
PyObject *report_read(PyObject *module, PyObject *args);

/* The JSON report in a file, in another format: (path, format). */
PyObject *report_convert(PyObject *module, PyObject *args);

/* Writes bytes to a file as an FvOutput: (path, bytes, [path of an input, ...]). */
PyObject *report_write(PyObject *module, PyObject *args);
