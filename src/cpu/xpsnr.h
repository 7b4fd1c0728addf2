/* Kernels of XPSNR on the CPU: the spatial and temporal activity of a block of the reference's luma. */
#pragma once

#include "base/isa.h"

/* A rectangle: columns [x0, x1) and rows [y0, y1). */
typedef struct FvXpsnrBox {
    int x0, y0, x1, y1;
} FvXpsnrBox;

typedef struct FvXpsnrBlock {
    const uint8_t *luma;      /* first luma sample of the frame */
    const uint8_t *before[2]; /* first luma sample of the previous frame, and of the one before it; a frame that
                                 does not exist is a row of zeros with stride 0 */
    ptrdiff_t stride, before_stride[2]; /* distances between rows in bytes */
    int width, height;                  /* size of the frame */
    int order;                          /* order of the temporal difference: 1 uses before[0], 2 uses both */
    FvXpsnrBox block;                   /* where the temporal activity is summed; x0 and y0 are multiples of 4 */
    FvXpsnrBox window; /* where the spatial activity is summed; neighbours may be outside the window but inside the
                          frame; may be empty */
} FvXpsnrBlock;

typedef struct FvXpsnrActivity {
    uint64_t spatial, temporal; /* sums of magnitudes; `temporal` without its factor of two */
} FvXpsnrActivity;

/* Kernels may read one vector after the end of a row, as FvFrame allows. */
typedef FvXpsnrActivity FvXpsnrKernel(const FvXpsnrBlock *block);

typedef struct FvXpsnrKernels {
    FvXpsnrKernel *fine8, *fine12, *fine16; /* all samples: of 8 bits, of up to 12 bits, of up to 16 bits */
    FvXpsnrKernel *coarse8, *coarse16;      /* frames above 2048x1152: every second sample of every second row */
} FvXpsnrKernels;

FV_FAMILY(FvXpsnrKernels, fv_xpsnr_kernels)
