/*
 * A pair of frames in a GPU's memory whose map is computed again when parameters change, without uploading the frames
 * again (still/still.c).
 */
#pragma once

#include "device/feature.h"
#include "gpu/gpu.h"

/* The pair, and the memory of the previous computation. */
typedef struct FvGpuStill FvGpuStill;

/* Takes over the GPU, also on failure, and uploads the frames; reference may be NULL. */
FvStatus fv_gpu_still_open(FvGpuStill **still, FvGpu *gpu, const FvFrame *reference, const FvFrame *distorted,
                           FvError *error);

/* Replaces the frames by others. */
FvStatus fv_gpu_still_pair(FvGpuStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error);

/* The memory of a map. */
typedef struct FvStillMap {
    const float *host; /* rows without gaps, valid until the next computation; NULL if the map was not fetched */
    uint64_t address;  /* address in device memory */
} FvStillMap;

/*
 * Computes a feature instance that differs from the previous one in options only, from stage `first` on (0: all
 * stages). Afterwards work->frame is as after computing on the CPU. map: -1 or the number of a map, whose address
 * *where receives; `fetch` also copies it to the host. FV_ERROR_DEVICE if the device failed, cannot compute the
 * instance, or is not trusted with it.
 */
FvStatus fv_gpu_still_run(FvGpuStill *still, const FvFeatureInstance *run, int first, const FvWork *work, int map,
                          bool fetch, FvStillMap *where, FvError *error);

void fv_gpu_still_handles(const FvGpuStill *still, FvDeviceHandles *handles);

void fv_gpu_still_close(FvGpuStill **still);
