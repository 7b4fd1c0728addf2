/* fovea.Model: a model of VMAF without any video. */
#pragma once

#include "core.h"

extern PyType_Spec model_spec;
