/* Compares the frames that a GPU makes of pixels with those of scalar C. */
#pragma once

#include "fovea/pixels.h"
#include "gpu/selftest/verdicts.h"

/* The order of an array's samples. */
typedef enum FvGpuOrder {
    FV_GPU_PACKED,   /* a pixel after the other; rows begin at any multiple of a sample */
    FV_GPU_PLANES,   /* a plane after the other */
    FV_GPU_MIRRORED, /* packed, from the last pixel of the last row to the first one */
} FvGpuOrder;

/* Pixels, and the frame that they become. */
typedef struct FvGpuPixels {
    int width, height;
    FvGpuOrder order;
    FvSampleType type;
    int components, depth, matrix;
    double lowest, highest;
    FvRounding rounding;
    bool bad; /* some samples have no code */
} FvGpuPixels;

extern const FvGpuPixels fv_gpu_pixel_arrays[]; /* the last entry has width 0 */

/* Tests the conversion of random samples. */
FvTestVerdict fv_gpu_verify_array(FvGpu *gpu, const FvGpuPixels *array, uint32_t seed, char *why, size_t size);

/* Tests one of fv_gpu_pixel_arrays, as FvGpuSkill.verify does. */
FvTestVerdict fv_gpu_verify_pixels(FvGpu *gpu, int number, char *why, size_t size);
