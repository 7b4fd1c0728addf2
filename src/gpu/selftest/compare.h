/* A feature on a GPU against the same feature in scalar C, and its speed there, on generated frames. */
#pragma once

#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"

/* Around the use of a GPU by a test: tests run side by side. */
void fv_gpu_test_begin(void);
void fv_gpu_test_end(void);

/* Launches a feature, with its inputs, for one chain of frames and compares with scalar C. `why` says what is not the
 * same. */
FvGpuVerdict fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                            uint64_t seed, int fill, int frames, char *why, size_t size);
/*
 * How many times as fast as a processor that takes FvFeature.cost the device is with a feature and its inputs, by a
 * few frames of 1280x720 that it has already; 0: not found out.
 */
double fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);
