/* Scores files with a session, and waits for a session. */
#pragma once

#include "core.h"

/* Implements fovea._fovea.Session.score. */
PyObject *session_score(PyObject *object, PyObject *args);

/* Implements fovea._fovea.score_encodes, which returns an exception or None for each encode. */
PyObject *session_score_encodes(PyObject *module, PyObject *args);

/* Calls fv_session_wait() or fv_session_finish() so that a signal can end the call. */
PyObject *session_wait_for(PyObject *object, FvStatus (*waits)(FvSession *session, FvError *error));
