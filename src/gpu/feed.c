#include "gpu/feed.h"

#include <pthread.h>
#include <stdlib.h>

#include "error.h"
#include "frame.h"
#include "gpu/store.h"
#include "pace.h"

/* Enough that a thread reads on while the device copies, and so few that all of them stay in the caches. */
#define SLOTS 4

typedef struct Lane {
    FvGpuMemory memory; /* of all its slots; none before the first is asked for */
    uint64_t ticket[SLOTS];
    int slot; /* the one that was asked for last */
} Lane;

struct FvGpuFeed {
    FvFeed feed;
    FvGpu *gpu;
    FvGpuQueue queue;
    FvGpuStore
        *store; /* its frames alone: memory that comes back is written by the same queue, behind what was sent */
    pthread_mutex_t lock; /* of the queue */
    uint64_t ticket, sent;
    int lane_count;
    Lane lanes[];
};

static FvStatus make_frame(FvFeed *feed, FvFrame **frame, const FvFormat *format, FvError *error)
{
    return fv_gpu_store_frame(((FvGpuFeed *)feed)->store, frame, format, FV_GPU_LOCAL, true, error);
}

static FvStatus get_slot(FvFeed *opaque, int number, uint8_t **memory, FvError *error)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    const FvGpuOps *ops = feed->gpu->ops;
    Lane *lane = &feed->lanes[number];
    FvStatus status = FV_OK;
    if (!lane->memory.host)
        status = ops->alloc(feed->gpu, &lane->memory, SLOTS * FV_FEED_SLICE, FV_GPU_HOST, error);
    lane->slot = (lane->slot + 1) % SLOTS;
    if (!status && lane->ticket[lane->slot]) {
        const double started = fv_seconds();
        pthread_mutex_lock(&feed->lock);
        status = ops->wait(feed->gpu, feed->queue, lane->ticket[lane->slot], error);
        feed->feed.waited += (fv_seconds() - started) / feed->lane_count;
        pthread_mutex_unlock(&feed->lock);
    }
    *memory = lane->memory.host + (size_t)lane->slot * FV_FEED_SLICE;
    return status;
}

static FvStatus send(FvFeed *opaque, int number, const FvFrame *frame, size_t offset, size_t bytes, FvError *error)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    const FvGpuOps *ops = feed->gpu->ops;
    Lane *lane = &feed->lanes[number];
    pthread_mutex_lock(&feed->lock);
    FvStatus status = ops->begin(feed->gpu, feed->queue, error);
    if (!status) {
        ops->copy(feed->gpu, feed->queue, fv_frame_place(frame)->memory, offset, &lane->memory,
                  (size_t)lane->slot * FV_FEED_SLICE, bytes);
        status = ops->submit(feed->gpu, feed->queue, &feed->ticket, error);
    }
    if (!status) {
        lane->ticket[lane->slot] = feed->ticket;
        feed->sent += bytes;
    }
    pthread_mutex_unlock(&feed->lock);
    return status;
}

static void end_frame(FvFeed *opaque, FvFrame *frame)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    pthread_mutex_lock(&feed->lock);
    fv_frame_fed(frame, feed, feed->ticket);
    pthread_mutex_unlock(&feed->lock);
}

static const FvFeedOps feed_ops = {.frame = make_frame, .slot = get_slot, .send = send, .end = end_frame};

FvStatus fv_gpu_feed_open(FvGpuFeed **feed, FvGpu *gpu, int side, int lanes, FvError *error)
{
    const size_t bytes = sizeof(FvGpuFeed) + (size_t)lanes * sizeof(Lane);
    FvGpuFeed *f = *feed = calloc(1, bytes);
    if (!f)
        return fv_fail_memory(error, bytes);
    f->feed.ops = &feed_ops;
    f->gpu = gpu;
    f->queue = side ? FV_GPU_FEED_DISTORTED : FV_GPU_FEED_REFERENCE;
    f->lane_count = lanes;
    pthread_mutex_init(&f->lock, NULL);
    f->store = fv_gpu_store_open(gpu);
    if (f->store)
        return FV_OK;
    fv_gpu_feed_close(feed);
    return fv_fail_memory(error, bytes);
}

FvFeed *fv_gpu_feed_of(FvGpuFeed *feed)
{
    return &feed->feed;
}

void fv_gpu_feed_after(FvGpuFeed *feed, uint64_t ticket)
{
    pthread_mutex_lock(&feed->lock);
    feed->gpu->ops->after(feed->gpu, FV_GPU_COMPUTE, feed->queue, ticket);
    pthread_mutex_unlock(&feed->lock);
}

uint64_t fv_gpu_feed_sent(FvGpuFeed *feed)
{
    pthread_mutex_lock(&feed->lock);
    const uint64_t sent = feed->sent;
    pthread_mutex_unlock(&feed->lock);
    return sent;
}

void fv_gpu_feed_close(FvGpuFeed **feed)
{
    FvGpuFeed *f = *feed;
    *feed = NULL;
    if (!f)
        return;
    if (f->ticket)
        fv_gpu_settle(f->gpu, f->queue, false, f->ticket);
    for (int i = 0; i < f->lane_count; i++)
        f->gpu->ops->free(f->gpu, &f->lanes[i].memory);
    fv_gpu_store_close(&f->store);
    pthread_mutex_destroy(&f->lock);
    free(f);
}
