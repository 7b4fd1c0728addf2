/* Resamples a plane of a frame to another size, in jobs for several threads. docs/scaling.md */
#pragma once

#include "cpu/scale.h"
#include "os/workers.h"
#include "picture/prepare_samples.h"
#include "picture/scale_table.h"

/* A plane of the input. */
typedef struct FvPlaneIn {
    const uint8_t *data;
    ptrdiff_t stride;      /* bytes from one row to the next */
    int width, height;     /* size in samples */
    int bytes;             /* bytes per sample */
    int shift;             /* samples are multiplied by 2^shift */
    const uint16_t *table; /* lookup table for samples; or NULL */
} FvPlaneIn;

typedef struct FvPlaneOut {
    uint8_t *data; /* rows may be written up to FV_SCALE_WIDTH samples beyond their end */
    ptrdiff_t stride;
    int width, height;
} FvPlaneOut;

/*
 * The resampling of planes. Input rows are resampled horizontally into intermediate rows, and these vertically into
 * the output.
 */
typedef struct FvScalePlane {
    FvScaleTable across, down;
    int depth;             /* depth of samples during resampling */
    FvReduction reduction; /* reduction of the resampled samples; shallow 0: none */
    const FvScaleKernels *kernels;
    int strip;            /* number of columns of a job, a multiple of 64 */
    size_t line, between; /* samples of scratch memory for an input row and for an intermediate row */
    int batch;            /* number of rows that are resampled horizontally together */
    int ring;             /* number of intermediate rows that are kept */
    size_t scratch;       /* bytes of all scratch memory */
} FvScalePlane;

/* Opens a resampler. The caller closes it, also after a failure. */
FvStatus fv_scale_plane_open(FvScalePlane *scale, const FvScaleAxis *across, const FvScaleAxis *down,
                             FvScaleKernel kernel, double b, double c, int depth, FvIsa isa, FvError *error);
void fv_scale_plane_close(FvScalePlane *scale);

/* Computes the output rows [first, end) of one strip. scratch: scale->scratch bytes, 64-byte aligned. */
void fv_scale_plane_rows(const FvScalePlane *scale, const FvPlaneIn *in, const FvPlaneOut *out, int strip, int first,
                         int end, void *scratch);

static inline int fv_scale_plane_strips(const FvScalePlane *scale)
{
    return (scale->across.count + scale->strip - 1) / scale->strip;
}
