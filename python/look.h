/* fovea.Pairs and fovea.Still: pairs of frames by number, and one pair under changing options. */
#pragma once

#include "core.h"

extern PyType_Spec pairs_spec, still_spec;
