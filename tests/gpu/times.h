/* Tests that the times of kernels are summed over all launches that the device has finished. */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_times(Tap *tap, FvGpu *gpu);
