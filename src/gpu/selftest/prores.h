/* Compares the decoding of ProRes on a GPU with scalar C. */
#pragma once

#include "codec/prores/maker.h"
#include "gpu/selftest/verdicts.h"

/* Frames of one shape that a GPU decodes together. */
typedef struct FvGpuProresCase {
    FvProresShape shape;
    int depth;
    bool luma_only; /* chroma planes are not requested */
} FvGpuProresCase;

extern const FvGpuProresCase fv_gpu_prores_cases[]; /* the last entry has width 0 */

/*
 * Tests the decoding of several frames, their signatures and the number of damaged slices. The first frame is
 * undamaged, the others have wrong bits in their slices. *damaged receives the number of damaged slices.
 */
FvTestVerdict fv_gpu_verify_prores_case(FvGpu *gpu, const FvGpuProresCase *one, uint32_t seed, int *damaged,
                                        char *why, size_t size);

/* Tests one of fv_gpu_prores_cases, as FvGpuSkill.verify does. */
FvTestVerdict fv_gpu_verify_prores(FvGpu *gpu, int number, char *why, size_t size);
