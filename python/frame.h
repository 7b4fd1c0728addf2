/* fovea.Frame: memory of the library that Python code writes; and frames made from arrays. */
#pragma once

#include <stdatomic.h>

#include "core.h"
#include "samples.h"
#include "tensor.h"

typedef struct Frame {
    PyObject_HEAD FvFrame *frame; /* NULL: pushing makes it of `tensor` */
    RgbTensor tensor;
    atomic_bool pushed; /* the frame was pushed, so no new writable view may be made */
    atomic_int views;   /* number of writable views that exist */
} Frame;

extern PyType_Spec frame_spec, plane_spec;

extern PyMethodDef frame_makers[]; /* defined in fill.c */

/*
 * Makes a fovea.Frame around `frame`, whose reference it owns from then on, also on failure. Its planes are
 * read-only.
 */
PyObject *frame_wrap(Core *core, FvFrame *frame);

/* Makes a fovea.Frame of a tensor on a CUDA device, to whose array it gets a reference of its own. */
PyObject *frame_wrap_tensor(Core *core, const RgbTensor *tensor);

/* How to make frames from arrays. */
typedef struct Taking {
    Core *core;
    FvFormat known;       /* members of the format that arrays do not state */
    bool has_chroma;      /* `known` also states the chroma format */
    bool says_planes;     /* the caller said that arrays of three planes are Y'CbCr; else they could also be RGB */
    FvSession *session;   /* session that reads memory of its device in place; or NULL */
    HeldTensors *tensors; /* tensors that the session holds */
} Taking;

/*
 * Sets *frame to the frame of a fovea.Frame, a copy of planes, or a frame over planes on the session's device. The
 * caller owns the reference. `where` names the frame in messages. Releases the GIL while it copies. false after an
 * exception.
 */
bool frame_of(const Taking *taking, PyObject *object, const char *where, FvFrame **frame);
