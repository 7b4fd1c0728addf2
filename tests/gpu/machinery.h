/*
 * The machinery around the kernels of a GPU, with the smallest metric: wrong kernels are refused and left to the CPU,
 * frames are in the device's memory, memory is short, the device is lost.
 */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_machinery(Tap *tap, FvGpu *gpu, uint64_t seed);
