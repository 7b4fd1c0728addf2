/* What the calls of a fovea.Session share: one FvSession, for one thread at a time. */
#pragma once

#include <stdatomic.h>

#include "core.h"
#include "events.h"
#include "frame.h"

typedef struct Session {
    PyObject_HEAD Core *core;
    FvSession *session; /* NULL: closed */
    FvCancel *cancel;
    PyObject *log;    /* called with a level and a message; or None */
    PyObject *takers; /* a list of callables for maps */
    Events events;
    Taking taking;
    Loans loans;
    bool started, prepares;
    FvScoreParams preparing;
    FvPreparer *preparer, *ycbcr_preparer; /* opened with the first pair where `prepares`; of the Y'CbCr with RGB */
    long long next;                        /* the number of the next frame */
    atomic_bool busy;                      /* one thread at a time */
    long process;                          /* that opened it */
} Session;

/* Before each call on the session: whether it is open and free. False after an exception. */
bool session_enter(Session *self);

/* After it: hands out messages and maps. `result`, or NULL after an exception of a receiver. */
PyObject *session_leave(Session *self, PyObject *result);
