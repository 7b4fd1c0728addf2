/* The state of a fovea.Session, which its methods share: one FvSession, used by one thread at a time. */
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
    HeldTensors tensors;
    bool started, prepares;
    FvScoreParams preparing;
    FvPreparer *preparer, *ycbcr_preparer; /* opened with the first pair if `prepares` is set; `ycbcr_preparer`: for
                                              the Y'CbCr variants of RGB frames */
    long long next;                        /* number of the next frame to push */
    atomic_bool busy;                      /* a thread uses the session */
    long process;                          /* process that opened the session */
} Session;

/* Marks the session as busy before a call, if it is open and not busy. false after an exception. */
bool session_enter(Session *self);

/* Ends the call, and delivers messages and maps. Returns `result`, or NULL after an exception in a receiver. */
PyObject *session_leave(Session *self, PyObject *result);
