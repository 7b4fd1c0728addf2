/*
 * What is around the kernels of a GPU, with the smallest metric: wrong kernels are refused and left to the CPU,
 * frames lie in the device's memory, memory is short, the device is lost.
 */
#ifndef FV_TESTS_GPU_MACHINERY_H
#define FV_TESTS_GPU_MACHINERY_H

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_machinery(Tap *tap, FvGpu *gpu, uint64_t seed);

#endif
