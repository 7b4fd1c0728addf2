/* fovea.Video and the keywords of a run, as the library's parameters. */
#pragma once

#include "core.h"

/* Metrics that are scored when none is named, and those of them that take RGB: only the ratio counts. */
enum { USUAL_METRICS = 2, USUAL_TAKERS = 1 };

/*
 * Sets the parameters of a tuple that fovea._run.settings() made: name, value, name, value... The run keeps the
 * tuple's strings. False after an exception.
 */
bool run_read(const Core *core, FvRunParams *run, PyObject *settings);

/*
 * The same for two fovea.Video, whose paths the run keeps, and of which reference may be None; `taking` of the
 * `metrics` metrics take RGB. Settles the run. False after an exception.
 */
bool videos_read(const Core *core, FvRunParams *run, PyObject *reference, PyObject *distorted, PyObject *settings,
                 int metrics, int taking);
