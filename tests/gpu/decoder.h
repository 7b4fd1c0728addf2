/* Compares ProRes decoding on a GPU with scalar C. */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_prores(Tap *tap, FvGpu *gpu, uint32_t seed, bool full);
