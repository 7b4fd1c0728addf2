/*
 * Whether a GPU computes what the CPU computes. Drivers miscompile kernels, and float controls differ: nothing is
 * scored on a device before it has shown the same bits, in every word of the arithmetic and in every metric, on small
 * frames. Verdicts are kept in a file, per device, driver, kernels and numerics version.
 */
#ifndef FV_GPU_SELFTEST_H
#define FV_GPU_SELFTEST_H

#include "gpu/plan.h"

/* The verdict on this metric, tested now when it is not known. `why` says which kernel failed and how. */
bool fv_gpu_trusts(FvGpu *gpu, const FvMetric *metric, char *why, size_t size);

/* The same, but tests in any case. */
bool fv_gpu_retest(FvGpu *gpu, const FvMetric *metric, char *why, size_t size);

/* Tests now. fv_gpu_verify_primitives is part of fv_gpu_trusts for every metric. */
bool fv_gpu_verify_primitives(FvGpu *gpu, char *why, size_t size);
bool fv_gpu_verify_metric(FvGpu *gpu, const FvMetric *metric, char *why, size_t size);

/* Launches a metric for one chain of frames and compares with scalar C; false with `why`, FV_END when it refuses the
 * format. */
FvStatus fv_gpu_compare(FvGpu *gpu, const FvMetric *metric, const void *options, const FvFormat *format,
                        uint64_t seed, int fill, int frames, char *why, size_t size);
/* What frames are filled with. */
enum {
    FV_GPU_NOISE,
    FV_GPU_EXTREMES, /* of the samples */
    FV_GPU_SLOPES,   /* with sparse steps */
    FV_GPU_BANDS,    /* of near values */
    FV_GPU_CELLS,    /* small and flat, of many values, beside such bands */
    FV_GPU_SQUARES,  /* flat, with a little noise */
    FV_GPU_FILLS,
};

#endif
