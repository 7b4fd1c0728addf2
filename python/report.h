/* Returns scores and reports of a session as Python objects. */
#pragma once

#include "core.h"

/*
 * Returns (the JSON report, {"frame": int64s, score: float64s, ...}), all as bytes. Releases the GIL where possible.
 */
PyObject *report_of(Core *core, FvSession *session);

/* Returns [(number, (score, ...)), ...] from the scored frame with index `first` on. */
PyObject *report_rows(const FvSession *session, int64_t first);

/* Returns the content of a JSON report in a file, as report_of() does. Arguments: (path as bytes). */
PyObject *report_read(PyObject *module, PyObject *args);

/* Converts the JSON report in a file to another format. Arguments: (path, format). */
PyObject *report_convert(PyObject *module, PyObject *args);

/* Writes bytes to a file through FvOutput. Arguments: (path, bytes, [path of an input, ...]). */
PyObject *report_write(PyObject *module, PyObject *args);
