/* Compares the frames that a GPU makes of pixels with scalar C, and their scores with those of host memory. */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_pixels(Tap *tap, FvGpu *gpu, uint32_t seed);
