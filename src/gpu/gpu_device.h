/* The state of a GPU as a device of a session, which device.c, batch_memory.c and batches.c share. */
#pragma once

#include "device/device.h"
#include "device/instances.h"
#include "gpu/feed.h"
#include "gpu/frames.h"
#include "gpu/launches.h"
#include "gpu/pixels.h"
#include "gpu/store.h"

#define FV_GPU_BATCH_PAIRS 32 /* maximum number of pairs per batch */
/* Number of variants of a frame: as it arrives, and as Y'CbCr (FvFeatureInstance.ycbcr_variant) */
#define FV_GPU_VARIANTS 2

typedef enum FvGpuBatchState {
    FV_BATCH_FREE,
    FV_BATCH_FILLING,
    FV_BATCH_RUNNING,
    FV_BATCH_DONE,
    FV_BATCH_FAILED
} FvGpuBatchState;

typedef struct FvTaskBatch {
    FvGpuBatchState state;
    FvTask *tasks[FV_GPU_BATCH_PAIRS];
    FvPair pairs[FV_GPU_VARIANTS][FV_GPU_BATCH_PAIRS]; /* [v][i]: variant v of the pair of task i */
    int place[FV_GPU_BATCH_PAIRS]; /* index of each task's pair in device memory; skipped frames come last */
    int count, scored;             /* number of tasks, and of tasks that are not skipped */
    int unread;                    /* number of tasks whose results have not been fetched yet */
    uint64_t ticket;
} FvTaskBatch;

typedef struct FvGpuDevice {
    FvDevice device;
    FvGpu *gpu;
    FvGpuStore *store; /* allocates frames for callers; NULL if `borrowed` */
    FvGpuRefused refused;
    FvGpuFeed *feeds[2]; /* feeds of the sides whose files are read slice by slice; NULL for the others */
    bool borrowed;       /* the GPU belongs to the caller, who closes it */
    const FvFeatureInstance *runs;
    const FvPlacement *placement;
    int run_count;
    struct {
        FvGpuFrames *frames; /* frames of this variant on the device; NULL: no instance reads them */
        FvFormat format;
        bool luma_only;
        unsigned reads[2]; /* FvReads of scored frames [0], and of skipped frames [1] */
        int behind[2];     /* number of previous frames that scored [0] and skipped [1] frames need */
    } variant[FV_GPU_VARIANTS];

    FvGpuPlan plan[FV_MAX_INSTANCES];
    size_t work_offset[FV_MAX_INSTANCES], result_offset[FV_MAX_INSTANCES], constant_offset[FV_MAX_INSTANCES],
        lasting_offset[FV_MAX_INSTANCES];
    size_t map_offset[FV_MAX_INSTANCES][FV_MAX_MAPS], map_pair_bytes[FV_MAX_INSTANCES][FV_MAX_MAPS];
    size_t work_bytes, result_bytes, constant_bytes, lasting_bytes,
        map_bytes; /* sums over all instances; all but `constant` and `lasting` are bytes of a batch */
    FvGpuMemory work, results, pairs, constants, lasting,
        maps;                                        /* device memory, which batches use one after the other */
    FvGpuMemory host_results, host_pairs, host_maps; /* host memory, one part per batch */

    FvTaskBatch *batches;
    int batch_count, batch_pairs;
    int filling;     /* index of the batch being filled, or -1 */
    int first;       /* index of the oldest batch that is not free */
    int used;        /* number of batches that are not free */
    FvError failure; /* the failure that ended all work; status FV_OK: none */
} FvGpuDevice;

/* Frees the session's memory (batch_memory.c). */
void fv_gpu_free_areas(FvGpuDevice *gpu);
