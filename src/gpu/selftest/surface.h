/* Compares the conversion of video decoders' pictures to planes on a GPU with scalar C. */
#pragma once

#include "fovea/fovea.h"
#include "gpu/selftest/verdicts.h"

/* A picture of a video decoder, and how it becomes a frame: the members of FvFormat and of FvGpuSurface. */
typedef struct FvGpuPicture {
    int width, height;
    FvChroma chroma;
    int depth;
    bool pairs;
    int left, top;
    unsigned planes;
} FvGpuPicture;

extern const FvGpuPicture fv_gpu_pictures[]; /* the last entry has width 0 */

/* Tests the conversion with random samples. */
FvTestVerdict fv_gpu_verify_picture(FvGpu *gpu, const FvGpuPicture *picture, uint32_t seed, char *why, size_t size);

/* Tests one of fv_gpu_pictures, as FvGpuSkill.verify does. */
FvTestVerdict fv_gpu_verify_pictures(FvGpu *gpu, int number, char *why, size_t size);
