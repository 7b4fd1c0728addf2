/* Scoring files by a session, and waiting for one. */
#pragma once

#include "core.h"

/* fovea._fovea.Session.score. */
PyObject *session_score(PyObject *object, PyObject *args);

/* fovea._fovea.score_encodes: an exception or None for each. */
PyObject *session_score_encodes(PyObject *module, PyObject *args);

/* fv_session_wait or fv_session_finish, which a signal ends. */
PyObject *session_wait_for(PyObject *object, FvStatus (*waits)(FvSession *session, FvError *error));
