/* fovea.Frame.from_rgb: makes frames from packed or planar RGB. */
#pragma once

#include "core.h"

extern const char frame_from_rgb_help[];

PyObject *frame_from_rgb(PyObject *type, PyObject *args, PyObject *kwargs);
