/* The part of fovea.Session that is written in C: the type and its methods. */
#pragma once

#include "core.h"

extern PyType_Spec session_spec;
