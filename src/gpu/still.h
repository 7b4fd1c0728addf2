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

/* Where a map lies. */
typedef struct FvStillMap {
    const float *host; /* rows without gaps, valid until the next run; NULL when it was not fetched */
    uint64_t address;  /* on the device */
} FvStillMap;

/*
 * Computes a run, which differs from the one before in options only, from stage `first` on; 0: all of it. Then
 * work->frame is as the CPU leaves it, and the map, unless it is -1, where `where` says; `fetch` brings it to the
 * host. FV_ERROR_DEVICE also when the device cannot do the run or is not trusted with it.
 */
FvStatus fv_gpu_still_run(FvGpuStill *still, const FvRun *run, int first, const FvWork *work, int map, bool fetch,
                          FvStillMap *where, FvError *error);

void fv_gpu_still_handles(const FvGpuStill *still, FvDeviceHandles *handles);

void fv_gpu_still_close(FvGpuStill **still);
