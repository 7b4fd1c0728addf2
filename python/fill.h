/* The class methods of fovea.Frame that make frames of other memory. */
#pragma once

#include "core.h"

extern PyMethodDef frame_makers[];
