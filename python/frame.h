/* fovea.Frame: memory of the library that Python writes; and frames made of arrays. */
#pragma once

#include <stdatomic.h>

#include "core.h"
#include "samples.h"

typedef struct Frame {
    PyObject_HEAD FvFrame *frame;
    atomic_bool pushed; /* no new writable views */
    atomic_int views;   /* the writable ones that exist */
} Frame;

extern PyType_Spec frame_spec, plane_spec;

extern PyMethodDef frame_makers[]; /* in fill.c */

/* Around a frame whose reference it takes, also on failure. Its planes are read-only. */
PyObject *frame_wrap(Core *core, FvFrame *frame);

/* How arrays become frames. */
typedef struct Taking {
    Core *core;
    FvFormat known;     /* what arrays cannot tell */
    bool has_chroma;    /* which says the chroma, too */
    bool says_planes;   /* an array of three planes is Y'CbCr; else it could be RGB as well */
    FvSession *session; /* whose device's memory is read in place; or NULL */
    Loans *loans;       /* of the session */
} Taking;

/*
 * The frame of a fovea.Frame, a copy of planes, or a frame over planes on the session's device, into *frame, whose
 * reference is the caller's. `where` names the frame in messages. False after an exception. Without the GIL while it
 * copies.
 */
bool frame_of(const Taking *taking, PyObject *object, const char *where, FvFrame **frame);
