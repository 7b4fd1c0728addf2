/*
 * The feed of a GPU (frame_feed.h): reader threads fill slices in pinned memory, and a separate queue per thread
 * copies them to the device.
 */
#pragma once

#include "gpu/gpu.h"
#include "picture/frame_feed.h"

typedef struct FvGpuFeed FvGpuFeed;

/* The tickets of the last slices of a frame. */
typedef struct FvGpuFed {
    int side;
    uint64_t ticket[FV_FEED_LANES]; /* ticket in each thread's queue; 0: that thread sent nothing */
} FvGpuFed;

static inline FvGpuQueue fv_gpu_feed_queue(int side, int lane)
{
    return (FvGpuQueue)(FV_GPU_FEED + side * FV_FEED_LANES + lane);
}

/* Opens the feed of a side, 0 or 1. lanes: number of threads that will use the feed, at most FV_FEED_LANES. */
FvStatus fv_gpu_feed_open(FvGpuFeed **feed, FvGpu *gpu, int side, int lanes, FvError *error);
FvFeed *fv_gpu_feed_of(FvGpuFeed *feed);
/* Returns the bytes of all slices of frames that were sent completely. Thread-safe. */
uint64_t fv_gpu_feed_sent(const FvGpuFeed *feed);
/* Closes the feed. Call it after all frames have been released. */
void fv_gpu_feed_close(FvGpuFeed **feed);
