/*
 * Tests the machinery around the kernels of a GPU with the smallest metric: wrong kernels, which are refused so that
 * the CPU computes, frames in the device's memory, lack of memory, and loss of the device.
 */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_machinery(Tap *tap, FvGpu *gpu, uint64_t seed);
