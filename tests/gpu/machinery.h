/*
 * Tests the code around a GPU's kernels with the smallest metric: refused kernels, whose work the CPU does, frames in
 * device memory, lack of memory, and loss of the device.
 */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_machinery(Tap *tap, FvGpu *gpu, uint64_t seed);
