/* Arguments and launches that features of one video share. The state of an instance begins with FvCheckPlan. */
#pragma once

#include "feature/check.h"
#include "gpu/launches.h"
#include "kernel/check.h"

/* Divides the planes that the run reads into workgroups of `wide` by `tall` samples. Pointers stay 0. */
FvCheckArgs fv_check_split(const FvFeatureInstance *run, int wide, int tall);

/* Returns the number of sides that the run measures. */
static inline int fv_check_sides(const FvFeatureInstance *run)
{
    return ((const FvCheckPlan *)run->state)->sides;
}

/* Plans the results of a run. words: words of results per side. */
void fv_check_results(const FvFeatureInstance *run, FvGpuPlan *plan, size_t words);

/* Clears the results of a batch, to which kernels add. */
void fv_check_clear(const FvGpuBatch *batch);

/*
 * Completes the arguments with the addresses of the batch, and launches `groups` workgroups per side. kernels: the
 * kernel of 8 bits, and that of more. words: words of results per side.
 */
void fv_check_launch(const FvFeatureInstance *run, const FvGpuBatch *batch, const FvKernel *const kernels[2],
                     FvCheckArgs args, int groups, size_t words);

/* Returns the colours of a side. */
FvCheckVideo fv_check_video(const FvFeatureInstance *run, int side, const FvCheckLight *light);

/*
 * fv_check_constants() fills `memory`, of fv_check_constant_bytes() bytes, with the colours and the tables of light
 * of each side. fv_check_set_light() sets the addresses of both in *args.
 */
size_t fv_check_constant_bytes(const FvFeatureInstance *run);
void fv_check_constants(const FvFeatureInstance *run, const FvCheckLight *light, void *memory);
void fv_check_set_light(FvCheckArgs *args, const FvGpuBatch *batch);

/* Returns the sum that is stored in two words, the lower one first. */
static inline uint64_t fv_check_sum(const uint32_t *words)
{
    return (uint64_t)words[1] << 32 | words[0];
}

/* Returns the band of a side that receives its results; the other bands of all sides are zero. */
static inline int fv_check_first_band(const FvFeatureInstance *run, int side)
{
    return side * ((const FvCheckPlan *)run->state)->bands;
}
