/* Compares the results of GPUs with scalar C, for tests. */
#pragma once

#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"

/* Lock and unlock the GPU for a test, because tests run in parallel. */
void fv_gpu_test_begin(void);
void fv_gpu_test_end(void);

FvTestDevice fv_gpu_test_device(FvGpu *gpu);

/* Compares a GPU's results with scalar C's, as fv_test_compare() does. */
FvTestVerdict fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                             uint64_t seed, int fill, int frames, char *why, size_t size);
/*
 * Measures the speed of the device for a feature and its inputs, on a few 1280x720 frames in device memory, relative
 * to a processor that needs FvFeature.cost. Returns 0 if the measurement failed.
 */
double fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);
