/*
 * Frames on a GPU: each host frame is uploaded once and stays while a batch needs it, and after that until the room
 * is needed, because the next pair may want it as its previous frame.
 */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "gpu/gpu.h"

typedef struct FvGpuFrames FvGpuFrames;

/* At most `most` frames on the device at once; luma_only leaves the chroma planes out. */
FvStatus fv_gpu_frames_open(FvGpuFrames **frames, FvGpu *gpu, const FvFormat *format, bool luma_only, int most,
                            FvError *error);
void fv_gpu_frames_close(FvGpuFrames **frames);

/* Device memory of one frame. */
size_t fv_gpu_frames_bytes(const FvFormat *format, bool luma_only);

/*
 * Gives the frame's planes and holds it until fv_gpu_frames_release. Starts the upload when it is not there yet.
 * FV_END when all room is taken by frames that are held: release some and try again.
 */
FvStatus fv_gpu_frames_hold(FvGpuFrames *frames, FvFrame *frame, FvPlanes *planes, FvError *error);
void fv_gpu_frames_release(FvGpuFrames *frames, const FvFrame *frame);

/* Notes what decoding a frame that is held has shown, if it came as a packet: the batch that uses it has finished. */
void fv_gpu_frames_decoded(FvGpuFrames *frames, const FvFrame *frame);

/*
 * The frame is not held again, and the host does not read it: memory of it that this GPU reads by itself is given
 * back when its upload has ended. Waits for early uploads when much is under way.
 */
void fv_gpu_frames_spend(FvGpuFrames *frames, FvFrame *frame);

/* Starts the uploads so far. Due before frames are held by another FvGpuFrames of the same GPU. */
FvStatus fv_gpu_frames_submit(FvGpuFrames *frames, FvError *error);

/* Makes the compute list being recorded wait for the uploads so far and for what foreign frames wait for. */
FvStatus fv_gpu_frames_flush(FvGpuFrames *frames, FvError *error);

/* Seconds for which fv_gpu_frames_spend waited. */
double fv_gpu_frames_waited(const FvGpuFrames *frames);

/* Bytes sent to the device since it was opened. */
uint64_t fv_gpu_frames_sent(const FvGpuFrames *frames);
