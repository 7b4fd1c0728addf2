/* fovea.Frame: memory of the library that Python writes; and frames made of arrays. */
#pragma once

#include <stdatomic.h>

#include "core.h"

typedef struct Frame {
    PyObject_HEAD FvFrame *frame;
    atomic_bool pushed; /* no new writable views */
    atomic_int views;   /* the writable ones that exist */
} Frame;

extern PyType_Spec frame_spec, plane_spec;

/* Around a frame whose reference it takes, also on failure. Its planes are read-only. */
PyObject *frame_wrap(Core *core, FvFrame *frame);

/*
 * The frame of a fovea.Frame, or a copy of planes, into *frame, whose reference is the caller's. `known` says what
 * arrays cannot tell, of which chroma only counts with has_chroma; `where` names the frame in messages. False after
 * an exception. Without the GIL while it copies.
 */
bool frame_of(Core *core, PyObject *object, const FvFormat *known, bool has_chroma, const char *where,
              FvFrame **frame);
