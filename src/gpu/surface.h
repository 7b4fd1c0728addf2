/* Pictures that a GPU's video decoder left in its memory become planes of frames there. */
#pragma once

#include "gpu/gpu.h"

/* NULL at the end. */
extern const FvKernel *const fv_gpu_surface_kernels[];

/* A picture in device memory, 8 bits in bytes, more in 16-bit words. */
typedef struct FvGpuSurface {
    uint64_t data[3]; /* address of each plane, a multiple of 4; with `pairs` plane 1 has Cb and Cr in turn, and plane
                         2 is absent */
    uint32_t stride[3]; /* bytes, multiples of 4 */
    bool pairs;
    int shift;       /* bits below each sample in its word, which are 0 */
    int left, top;   /* luma samples cut off there; samples beyond the format's size are cut off, too */
    unsigned planes; /* bit i: plane i of the frame is wanted */
    uint64_t sums;   /* FV_SIGNATURE words for the sums of the frame's signature (arith/signature.h); 0: none */
} FvGpuSurface;

/*
 * Fills the planes of a frame at `to` from the picture; the frame, and the sums, are complete when this returns. Rows
 * of the frame start on multiples of 8 bytes and may be overwritten up to 3 samples beyond their end.
 */
FvStatus fv_gpu_surface_take(FvGpu *gpu, const FvGpuSurface *surface, const FvFormat *format, const uint64_t to[3],
                             const ptrdiff_t stride[3], FvError *error);
