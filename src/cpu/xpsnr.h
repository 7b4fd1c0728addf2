/* Kernels of XPSNR on the CPU: how busy a block of the reference's luma is, in space and in time. */
#pragma once

#include "base/isa.h"

/* Columns [x0, x1) and rows [y0, y1). */
typedef struct FvXpsnrBox {
    int x0, y0, x1, y1;
} FvXpsnrBox;

typedef struct FvXpsnrBlock {
    const uint8_t *luma; /* first luma sample of the frame */
    const uint8_t
        *before[2]; /* of the frames before; a row of zeros with stride 0 stands for a frame that is not there */
    ptrdiff_t stride, before_stride[2]; /* bytes */
    int width, height;                  /* size of the frame */
    int order;                          /* order of the temporal difference: 1 uses before[0], 2 uses both */
    FvXpsnrBox block;                   /* where the change is summed; x0 and y0 are multiples of 4 */
    FvXpsnrBox
        window; /* where the spatial activity is summed, neighbours included within the picture; may be empty */
} FvXpsnrBlock;

typedef struct FvXpsnrActivity {
    uint64_t spatial, temporal; /* sums of magnitudes; temporal without its factor of two */
} FvXpsnrActivity;

/* Rows may be read up to a vector past their end, as FvFrame allows. */
typedef FvXpsnrActivity FvXpsnrKernel(const FvXpsnrBlock *block);

typedef struct FvXpsnrKernels {
    FvXpsnrKernel *fine8, *fine12, *fine16; /* every sample: 8 bits; words of up to 12 bits; any words */
    FvXpsnrKernel *coarse8, *coarse16;      /* pictures above 2048x1152: every second sample of every second row */
} FvXpsnrKernels;

FV_FAMILY(FvXpsnrKernels, fv_xpsnr_kernels)
