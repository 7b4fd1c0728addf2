/* Times of kernels: every launch that was waited for is counted. */
#pragma once

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_times(Tap *tap, FvGpu *gpu);
