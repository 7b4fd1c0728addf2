/*
 * Preparations on a GPU: frames go to the device as they were read, and are cropped, converted and resampled there to
 * the samples that fv_prepare_run gives. A slot holds one frame from the time it is sent until what was recorded for
 * it has finished; the caller numbers slots and does not reuse one before.
 */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "gpu/gpu.h"
#include "picture/prepare.h"

typedef struct FvGpuPrepare FvGpuPrepare;

/* NULL at the end. */
extern const FvKernel *const fv_gpu_prepare_kernels[];

/*
 * Returns whether there are kernels and memory for it; else `why` gets one sentence. gpu/selftest/selftest.h checks
 * whether they are right.
 */
bool fv_gpu_prepare_supports(FvGpu *gpu, const FvPreparation *preparation, char *why, size_t size);

FvStatus fv_gpu_prepare_open(FvGpuPrepare **scale, FvGpu *gpu, int slots, FvError *error);
void fv_gpu_prepare_close(FvGpuPrepare **scale);

/* Makes room in a slot for what comes in. */
FvStatus fv_gpu_prepare_reserve(FvGpuPrepare *scale, int slot, const FvPreparation *preparation, FvError *error);
bool fv_gpu_prepare_has_room(const FvGpuPrepare *scale, int slot, const FvPreparation *preparation);

/*
 * Records the transfer of a frame on the open list of FV_GPU_COPY and remembers it for fv_gpu_prepare_record. The
 * slot has room. The first `count` planes go out; the frame stays until the slot is free. *bytes: what is
 * transferred.
 */
FvStatus fv_gpu_prepare_send(FvGpuPrepare *scale, int slot, const FvUnprepared *unprepared, int count,
                             const FvPlanes *planes, size_t *bytes, FvError *error);

/* Records the preparation of all frames sent since the last call on the open list of FV_GPU_COMPUTE. */
void fv_gpu_prepare_record(FvGpuPrepare *scale);

/* Prepares a frame on the GPU as fv_prepare_run() does, and waits for it. */
FvStatus fv_gpu_prepare_frame(FvGpu *gpu, const FvPreparation *preparation, FvFrame **frame, FvError *error);
