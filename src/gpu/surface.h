/* Converts pictures in the memory of a GPU's video decoder to the planes of frames. */
#pragma once

#include "gpu/gpu.h"

/* The kernels; the last entry is NULL. */
extern const FvKernel *const fv_gpu_surface_kernels[];

/* A picture in device memory: 8-bit samples in bytes, deeper samples in 16-bit words. */
typedef struct FvGpuSurface {
    uint64_t data[3]; /* address of each plane, a multiple of 4; with `pairs`, plane 1 has alternating Cb and Cr, and
                         there is no plane 2 */
    uint32_t stride[3]; /* stride of each plane in bytes, a multiple of 4 */
    bool pairs;
    int shift; /* number of zero bits below each sample in its word */
    /* Luma samples to cut off at the left and top; samples beyond the format's size are cut off as well. */
    int left, top;
    unsigned planes; /* bit i: plane i of the frame is requested */
    /* Address of FV_SIGNATURE words for the sums of the frame's signature (arith/signature.h); 0: none. */
    uint64_t sums;
} FvGpuSurface;

/*
 * Fills the planes of a frame at `to` from the picture. When it returns, the frame and the sums are complete. Rows of
 * the frame start at multiples of 8 bytes; up to 3 samples after their end may be overwritten.
 */
FvStatus fv_gpu_surface_take(FvGpu *gpu, const FvGpuSurface *surface, const FvFormat *format, const uint64_t to[3],
                             const ptrdiff_t stride[3], FvError *error);
