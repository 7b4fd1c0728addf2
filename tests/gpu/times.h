/* Times of kernels: every launch that was waited for is counted. */
#ifndef FV_TESTS_GPU_TIMES_H
#define FV_TESTS_GPU_TIMES_H

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_times(Tap *tap, FvGpu *gpu);

#endif
