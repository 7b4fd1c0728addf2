/* fovea.Session below its Python part: the type and its methods. */
#pragma once

#include "core.h"

extern PyType_Spec session_spec;
