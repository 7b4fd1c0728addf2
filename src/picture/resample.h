/* Planes resampled by several threads. docs/scaling.md */
#ifndef FV_PICTURE_RESAMPLE_H
#define FV_PICTURE_RESAMPLE_H

#include "cpu/scale.h"
#include "picture/prepare_samples.h"
#include "os/workers.h"

/* A plane that comes in. */
typedef struct FvPlaneIn {
    const uint8_t *data;
    ptrdiff_t stride;      /* bytes */
    int width, height;     /* samples */
    int bytes;             /* of a sample */
    int shift;             /* samples are multiplied by 2^shift, or replaced by those of the table */
    const uint16_t *table; /* or NULL */
} FvPlaneIn;

typedef struct FvPlaneOut {
    uint8_t *data; /* rows may be written up to FV_SCALE_WIDTH samples beyond their end */
    ptrdiff_t stride;
    int width, height;
} FvPlaneOut;

/* How planes are resampled; the same for every frame. */
typedef struct FvResample {
    FvScaleTable across, down;
    int depth;             /* of samples while they are resampled */
    FvReduction reduction; /* afterwards; shallow 0: none */
    const FvScaleKernels *kernels;
    int strip;            /* columns of a job, a multiple of 64 */
    size_t line, between; /* samples of scratch memory: a row that comes in, a row between */
    int batch;            /* rows that are resampled across at once */
    int ring;             /* rows between that are kept */
    size_t scratch;       /* bytes of all of it */
} FvResample;

/* To be closed in any case. */
FvStatus fv_resample_open(FvResample *resample, const FvScaleAxis *across, const FvScaleAxis *down,
                          const FvPrepareParams *kernel, int depth, FvIsa isa, FvError *error);
void fv_resample_close(FvResample *resample);

/* Rows [first, end) of one strip, with resample->scratch bytes of memory, 64-byte aligned. */
void fv_resample_rows(const FvResample *resample, const FvPlaneIn *in, const FvPlaneOut *out, int strip, int first,
                      int end, void *scratch);

static inline int fv_resample_strips(const FvResample *resample)
{
    return (resample->across.count + resample->strip - 1) / resample->strip;
}

#endif
