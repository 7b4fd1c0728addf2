/*
 * Preparations on a GPU: frames are copied to the device as they were read. There they are cropped, converted and
 * resampled to the same samples as by fv_prepare_run(). A slot holds one frame from the time it is sent until the
 * work recorded for it has finished. The caller numbers the slots, and must not reuse a slot before that.
 */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "gpu/gpu.h"
#include "picture/prepare.h"

typedef struct FvGpuPrepare FvGpuPrepare;

/* The kernels; the last entry is NULL. */
extern const FvKernel *const fv_gpu_prepare_kernels[];

/*
 * Returns whether the GPU has kernels and memory for the preparation; if not, `why` receives one sentence.
 * gpu/selftest/selftest.h tests whether the results are right.
 */
bool fv_gpu_prepare_supports(FvGpu *gpu, const FvPreparation *preparation, char *why, size_t size);

FvStatus fv_gpu_prepare_open(FvGpuPrepare **scale, FvGpu *gpu, int slots, FvError *error);
void fv_gpu_prepare_close(FvGpuPrepare **scale);

/* Reserves memory in a slot for the frames of a preparation. */
FvStatus fv_gpu_prepare_reserve(FvGpuPrepare *scale, int slot, const FvPreparation *preparation, FvError *error);
bool fv_gpu_prepare_has_room(const FvGpuPrepare *scale, int slot, const FvPreparation *preparation);

/*
 * Records the transfer of a frame on the open list of FV_GPU_COPY, and remembers the frame for
 * fv_gpu_prepare_record(). The slot must have room. The first `count` planes of the result are computed; the frame
 * must stay until the slot is free. *bytes receives the number of bytes to transfer.
 */
FvStatus fv_gpu_prepare_send(FvGpuPrepare *scale, int slot, const FvUnprepared *unprepared, int count,
                             const FvPlanes *planes, size_t *bytes, FvError *error);

/* Records the preparation of all frames sent since the last call, on the open list of FV_GPU_COMPUTE. */
void fv_gpu_prepare_record(FvGpuPrepare *scale);

/* Prepares one frame on the GPU as fv_prepare_run() does, and waits for the result. */
FvStatus fv_gpu_prepare_frame(FvGpu *gpu, const FvPreparation *preparation, FvFrame **frame, FvError *error);
