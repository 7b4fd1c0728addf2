/* Converts fovea.Video and the keywords of a run to the library's parameters. */
#pragma once

#include "core.h"

/*
 * Stand for the default metrics and for those of them that accept RGB: videos_read() needs only to know that some do
 * and some do not.
 */
enum { USUAL_METRICS = 2, USUAL_TAKERS = 1 };

/*
 * Sets the parameters of a tuple that fovea._run.settings() made: name, value, name, value... The run keeps the
 * tuple's strings. False after an exception.
 */
bool run_read(const Core *core, FvRunParams *run, PyObject *settings);

/*
 * Sets the parameters as run_read() does, and those of two fovea.Video, of which `reference` may be None. The run
 * keeps pointers to their paths. `taking` of the `metrics` metrics accept RGB. Completes the run's parameters. false
 * after an exception.
 */
bool videos_read(const Core *core, FvRunParams *run, PyObject *reference, PyObject *distorted, PyObject *settings,
                 int metrics, int taking);
