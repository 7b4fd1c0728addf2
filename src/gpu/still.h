/* A pair in the memory of a GPU, whose map follows parameters: nothing is uploaded twice (still/still.c). */
#pragma once

#include "device/feature.h"
#include "gpu/gpu.h"

/* The pair, and the memory that a run of a feature left. */
typedef struct FvGpuStill FvGpuStill;

/* Takes the GPU, also on failure, and uploads the frames; reference may be NULL. */
FvStatus fv_gpu_still_open(FvGpuStill **still, FvGpu *gpu, const FvFrame *reference, const FvFrame *distorted,
                           FvError *error);

/* Uploads other frames in their place. */
FvStatus fv_gpu_still_pair(FvGpuStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error);

/* The place of a map. */
typedef struct FvStillMap {
    const float *host; /* rows without gaps, valid until the next run; NULL when it was not fetched */
    uint64_t address;  /* address on the device */
} FvStillMap;

/*
 * Computes a feature instance, which differs from the previous one in options only, from stage `first` on; 0: all of
 * it. Then work->frame is as after the CPU, and the map, unless it is -1, is at `where`; `fetch` copies it to the
 * host. FV_ERROR_DEVICE: the device failed, cannot compute the instance, or is not trusted with it.
 */
FvStatus fv_gpu_still_run(FvGpuStill *still, const FvRun *run, int first, const FvWork *work, int map, bool fetch,
                          FvStillMap *where, FvError *error);

void fv_gpu_still_handles(const FvGpuStill *still, FvDeviceHandles *handles);

void fv_gpu_still_close(FvGpuStill **still);
