/* RGB of an array, and how it becomes a frame: at once, or on a CUDA device when the frame is pushed. */
#pragma once

#include "core.h"
#include "fovea/pixels.h"
#include "samples.h"

typedef struct RgbTensor {
    Core *core;
    FvFormat format;    /* format of the RGB frame */
    int matrix;         /* matrix for its Y'CbCr variant */
    const char *layout; /* "HWC" or "CHW", static; NULL: as the shape says */
    PyObject *array;
    FvPixels pixels; /* type, range and background; rgb_tensor_place() sets the rest */
} RgbTensor;

/* Sets the place and the type of the pixels. */
void rgb_tensor_place(RgbTensor *tensor, const Samples *samples);

/*
 * Makes the frame of samples that rgb_tensor_place() got, and releases them. `session`: they are in memory of its
 * device; NULL: in host memory. NULL after an exception.
 */
FvFrame *rgb_tensor_read(const RgbTensor *tensor, FvSession *session, Samples *samples);

/* Makes the frame of a tensor on the session's device. `where` names it in messages. NULL after an exception. */
FvFrame *rgb_tensor_push(const RgbTensor *tensor, FvSession *session, const char *where);
