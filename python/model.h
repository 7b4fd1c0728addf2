/* fovea.Model: a VMAF model, applied to features without a video. */
#pragma once

#include "core.h"

extern PyType_Spec model_spec;
