/* The feed of a GPU (frame_feed.h): slices in pinned memory, copied by a queue of the feed's own. */
#ifndef FV_GPU_FEED_H
#define FV_GPU_FEED_H

#include "frame_feed.h"
#include "gpu/gpu.h"

typedef struct FvGpuFeed FvGpuFeed;

/* side: 0 or 1, each with its own queue. lanes: threads that will use it. */
FvStatus fv_gpu_feed_open(FvGpuFeed **feed, FvGpu *gpu, int side, int lanes, FvError *error);
FvFeed *fv_gpu_feed_of(FvGpuFeed *feed);
/* The open compute list waits for what was sent until the ticket was given. In any thread. */
void fv_gpu_feed_after(FvGpuFeed *feed, uint64_t ticket);
/* Bytes of all slices. */
uint64_t fv_gpu_feed_sent(FvGpuFeed *feed);
/* After all frames have been released. */
void fv_gpu_feed_close(FvGpuFeed **feed);

#endif
