/* ProRes decoding on a GPU against scalar C. */
#ifndef FV_TESTS_GPU_DECODER_H
#define FV_TESTS_GPU_DECODER_H

#include "gpu/gpu.h"
#include "tap/tap.h"

void test_prores(Tap *tap, FvGpu *gpu, uint32_t seed, bool full);

#endif
