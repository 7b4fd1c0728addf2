/*
 * Whether a GPU computes what the CPU computes. Drivers miscompile kernels, and float controls differ: nothing is
 * scored on a device before it has shown the same bits on small frames, in every operation of the arithmetic and in
 * every feature. Verdicts about bits are kept in a file (gpu/selftest/verdicts.h), per device, driver, kernels and
 * numerics version, with the feature's speed. A test that could not be made, for lack of memory or because the driver
 * failed, is no verdict: the next session tests again.
 */
#ifndef FV_GPU_SELFTEST_H
#define FV_GPU_SELFTEST_H

#include "device/device.h"
#include "gpu/launches.h"
#include "gpu/selftest/verdicts.h"
#include "picture/prepare.h"

typedef enum FvGpuVerdict {
    FV_GPU_SAME,     /* every bit is that of plain C */
    FV_GPU_DIFFERS,  /* some bit is not */
    FV_GPU_REFUSES,  /* the feature does not take such frames */
    FV_GPU_UNTESTED, /* there was no room, or the driver failed */
} FvGpuVerdict;

/* What is trusted as a whole. */
typedef struct FvGpuSkill {
    const FvFeature *feature; /* or NULL, and */
    FvGpuSubject subject;
    FvGpuVerdict (*verify)(FvGpu *gpu, char *why, size_t size);
} FvGpuSkill;

extern const FvGpuSkill fv_gpu_scaling, fv_gpu_decoding; /* frames prepared; pictures of video decoders taken over */

/* The verdict on a skill, tested now when it is not known. `why` says which kernel failed and how. */
bool fv_gpu_trusts(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);

/* The same, but tests in any case. */
bool fv_gpu_retest(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size);

/* As FvDeviceOps.supports: only what the device can do and is trusted with. */
bool fv_gpu_device_trusted(FvDevice *device, const FvRun *run, char *why, size_t size);

/* As FvDeviceOps.prepares: only what the device can do and is trusted with. */
bool fv_gpu_device_prepares(FvDevice *device, const FvPreparation *preparation, char *why, size_t size);

/* Tests now. fv_gpu_verify_primitives is part of fv_gpu_trusts for every skill. */
FvGpuVerdict fv_gpu_verify_primitives(FvGpu *gpu, char *why, size_t size);
FvGpuVerdict fv_gpu_verify_feature(FvGpu *gpu, const FvFeature *feature, char *why, size_t size);
FvGpuVerdict fv_gpu_verify_scaling(FvGpu *gpu, char *why, size_t size);
FvGpuVerdict fv_gpu_verify_pictures(FvGpu *gpu, char *why, size_t size);

/* A picture of a video decoder as it becomes a frame: FvFormat, and as in FvGpuSurface. */
typedef struct FvGpuPicture {
    int width, height;
    FvChroma chroma;
    int depth;
    bool pairs;
    int left, top;
    unsigned planes;
} FvGpuPicture;

extern const FvGpuPicture fv_gpu_pictures[]; /* width 0 at the end */

/* Of random samples. */
FvGpuVerdict fv_gpu_verify_picture(FvGpu *gpu, const FvGpuPicture *picture, uint32_t seed, char *why, size_t size);

/* Launches a feature, with its inputs, for one chain of frames and compares with scalar C. `why` says what is not the
 * same. */
FvGpuVerdict fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                            uint64_t seed, int fill, int frames, char *why, size_t size);
/*
 * How many times as fast as a processor that takes FvFeature.cost the device is with a feature and its inputs, by a
 * few frames of 1280x720 that it has already; 0: not found out.
 */
double fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);

/* What frames are filled with. */
enum {
    FV_GPU_NOISE,
    FV_GPU_EXTREMES,                 /* of the samples */
    FV_GPU_SLOPES,                   /* with sparse steps */
    FV_GPU_BANDS,                    /* of near values */
    FV_GPU_CELLS,                    /* small and flat, of many values, beside such bands */
    FV_GPU_SQUARES,                  /* flat, with a little noise */
    FV_GPU_FILLS,                    /* of every feature */
    FV_GPU_OPPOSITES = FV_GPU_FILLS, /* where the reference has the greatest sample, the distorted frame has 0 or 1 */
};

#endif
