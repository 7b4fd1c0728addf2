/* Compares the conversion of a video decoder's pictures to planes, on a GPU, with scalar C. */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_surfaces(Tap *tap, FvGpu *gpu, uint32_t seed);
