/* GPUs as devices that tests compare with scalar C. */
#pragma once

#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"

/* Around the use of a GPU by a test: tests run side by side. */
void fv_gpu_test_begin(void);
void fv_gpu_test_end(void);

FvTestDevice fv_gpu_test_device(FvGpu *gpu);

/* As fv_test_compare. */
FvTestVerdict fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                             uint64_t seed, int fill, int frames, char *why, size_t size);
/*
 * How many times as fast as a processor that takes FvFeature.cost the device is with a feature and its inputs, by a
 * few frames of 1280x720 that it has already; 0: not found out.
 */
double fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);
