/* GPUs as devices that tests compare with scalar C. */
#pragma once

#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"

/* Around the use of a GPU by a test: tests run side by side. */
void fv_gpu_test_begin(void);
void fv_gpu_test_end(void);

FvTestDevice fv_gpu_test_device(FvGpu *gpu);

/* Compares a GPU, as fv_test_compare() does. */
FvTestVerdict fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                             uint64_t seed, int fill, int frames, char *why, size_t size);
/*
 * Measures how many times as fast as a processor that needs FvFeature.cost the device is for a feature with its
 * inputs, on a few 1280x720 frames in its memory; 0: unknown.
 */
double fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);
