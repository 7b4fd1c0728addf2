/* Pictures of a video decoder made planar on a GPU, against the same in scalar C. */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_surfaces(Tap *tap, FvGpu *gpu, uint32_t seed);
