/* fovea._fovea.Stop: a request to stop, which Python code holds for calls that have no session. */
#pragma once

#include "core.h"

extern PyType_Spec stop_spec;

/* Returns the request of a Stop, which must outlive its use. NULL after a TypeError. */
FvCancel *stop_cancel(const Core *core, PyObject *stop);
