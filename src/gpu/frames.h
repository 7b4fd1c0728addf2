/*
 * The frames on a GPU: each host frame is uploaded once. It stays while a batch holds it, and afterwards until its
 * memory is needed, because the next pair may use it as its previous frame.
 */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "gpu/gpu.h"

typedef struct FvGpuFrames FvGpuFrames;

/* Opens a set of at most `most` frames on the device. luma_only: chroma planes are not uploaded. */
FvStatus fv_gpu_frames_open(FvGpuFrames **frames, FvGpu *gpu, const FvFormat *format, bool luma_only, int most,
                            FvError *error);
void fv_gpu_frames_close(FvGpuFrames **frames);

/* Returns the device memory of one frame in bytes. */
size_t fv_gpu_frames_bytes(const FvFormat *format, bool luma_only);

/*
 * Acquires a frame until fv_gpu_frames_release() and writes its planes to *planes. Uploads the frame if it is not on
 * the device yet. FV_END if held frames use all memory: release some and try again.
 */
FvStatus fv_gpu_frames_acquire(FvGpuFrames *frames, FvFrame *frame, FvPlanes *planes, FvError *error);
void fv_gpu_frames_release(FvGpuFrames *frames, const FvFrame *frame);

/*
 * Records the result of decoding an acquired frame that arrived as a packet. Call it after the batch that uses the
 * frame has finished.
 */
void fv_gpu_frames_decoded(FvGpuFrames *frames, const FvFrame *frame);

/*
 * Marks the last use of a frame, which must not be acquired again or read by the host. Its host memory, if this GPU
 * reads it directly, is released when the upload has ended. Waits for earlier uploads if many are in flight.
 */
void fv_gpu_frames_mark_last_use(FvGpuFrames *frames, FvFrame *frame);

/* Starts all uploads recorded so far. Call it before another FvGpuFrames of the same GPU acquires frames. */
FvStatus fv_gpu_frames_submit(FvGpuFrames *frames, FvError *error);

/*
 * Makes the compute list that is being recorded wait for all uploads so far, and for the work that foreign frames
 * wait for.
 */
FvStatus fv_gpu_frames_flush(FvGpuFrames *frames, FvError *error);

/* Returns the seconds that fv_gpu_frames_mark_last_use() has waited. */
double fv_gpu_frames_waited(const FvGpuFrames *frames);

/* Returns the bytes sent to the device since it was opened. */
uint64_t fv_gpu_frames_sent(const FvGpuFrames *frames);
