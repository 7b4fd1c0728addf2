#include "gpu/feed.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "clock.h"
#include "gpu/store.h"
#include "picture/frame.h"

/* Slots per thread: enough to read on while the device copies, and few enough to stay in the caches. */
#define SLOTS 4

typedef struct Lane {
    FvGpuMemory memory; /* memory of all slots; none before the first request */
    uint64_t ticket[SLOTS];
    int slot;      /* index of the slot requested last */
    uint64_t sent; /* number of bytes sent */
    double waited;
} Lane;

/* The last upload into a memory block of the store. The block may have been released before the upload ended. */
typedef struct Target {
    FvGpuFed fed;
    const void *memory;
    struct Target *next;
} Target;

struct FvGpuFeed {
    FvFeed feed;
    FvGpu *gpu;
    FvGpuStore *store; /* the store that allocates the frames for the feed */
    Target *targets;   /* list with one target for each block */
    _Atomic uint64_t sent;
    int side, lane_count;
    Lane lanes[];
};

static FvStatus wait_for(FvGpuFeed *feed, const FvGpuFed *fed, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < feed->lane_count && !status; i++)
        if (fed->ticket[i])
            status = feed->gpu->ops->wait(feed->gpu, fv_gpu_feed_queue(feed->side, i), fed->ticket[i], error);
    return status;
}

static Target *find_target(FvGpuFeed *feed, const void *memory)
{
    Target *target = feed->targets;
    while (target && target->memory != memory)
        target = target->next;
    if (!target && (target = calloc(1, sizeof *target))) {
        target->memory = memory;
        target->fed.side = feed->side;
        target->next = feed->targets;
        feed->targets = target;
    }
    return target;
}

static FvStatus make_frame(FvFeed *opaque, FvFrame **frame, const FvFormat *format, FvError *error)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    FvStatus status = fv_gpu_store_frame(feed->store, frame, format, FV_GPU_LOCAL, true, error);
    if (status)
        return status;
    Target *target = find_target(feed, fv_frame_place(*frame)->memory);
    status = target ? wait_for(feed, &target->fed, error) : fv_fail_memory(error, sizeof *target);
    if (status)
        fv_frame_unref(frame);
    else
        fv_frame_fed(*frame, &target->fed);
    return status;
}

static FvStatus get_slot(FvFeed *opaque, int number, uint8_t **memory, FvError *error)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    const FvGpuOps *ops = feed->gpu->ops;
    Lane *lane = &feed->lanes[number];
    FvStatus status = FV_OK;
    if (!lane->memory.host)
        status = ops->alloc(feed->gpu, &lane->memory, SLOTS * FV_FEED_SLICE, FV_GPU_HOST, error);
    if (status)
        return status;
    lane->slot = (lane->slot + 1) % SLOTS;
    if (lane->ticket[lane->slot]) {
        const double started = fv_seconds();
        status = ops->wait(feed->gpu, fv_gpu_feed_queue(feed->side, number), lane->ticket[lane->slot], error);
        lane->waited += fv_seconds() - started;
    }
    *memory = lane->memory.host + (size_t)lane->slot * FV_FEED_SLICE;
    return status;
}

static FvStatus send(FvFeed *opaque, int number, const FvFrame *frame, size_t offset, size_t bytes, FvError *error)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    const FvGpuOps *ops = feed->gpu->ops;
    const FvGpuQueue queue = fv_gpu_feed_queue(feed->side, number);
    Lane *lane = &feed->lanes[number];
    FvStatus status = ops->begin(feed->gpu, queue, error);
    if (status)
        return status;
    ops->copy(feed->gpu, queue, fv_frame_place(frame)->memory, offset, &lane->memory,
              (size_t)lane->slot * FV_FEED_SLICE, bytes);
    status = ops->submit(feed->gpu, queue, &lane->ticket[lane->slot], error);
    lane->sent += bytes;
    return status;
}

static void end_frame(FvFeed *opaque, FvFrame *frame)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    Target *target = find_target(feed, fv_frame_place(frame)->memory);
    uint64_t sent = 0;
    double waited = 0;
    for (int i = 0; i < feed->lane_count; i++) {
        const Lane *lane = &feed->lanes[i];
        for (int slot = 0; slot < SLOTS; slot++)
            if (target->fed.ticket[i] < lane->ticket[slot])
                target->fed.ticket[i] = lane->ticket[slot];
        sent += lane->sent;
        waited += lane->waited;
    }
    feed->feed.waited = waited / feed->lane_count;
    atomic_store(&feed->sent, sent);
}

static const FvFeedOps feed_ops = {.frame = make_frame, .slot = get_slot, .send = send, .end = end_frame};

FvStatus fv_gpu_feed_open(FvGpuFeed **feed, FvGpu *gpu, int side, int lanes, FvError *error)
{
    const size_t bytes = sizeof(FvGpuFeed) + (size_t)lanes * sizeof(Lane);
    FvGpuFeed *f = *feed = lanes > FV_FEED_LANES ? NULL : calloc(1, bytes);
    if (!f)
        return fv_fail_memory(error, bytes);
    f->feed.ops = &feed_ops;
    f->gpu = gpu;
    f->side = side;
    f->lane_count = lanes;
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

uint64_t fv_gpu_feed_sent(const FvGpuFeed *feed)
{
    return atomic_load(&feed->sent);
}

void fv_gpu_feed_close(FvGpuFeed **feed)
{
    FvGpuFeed *f = *feed;
    *feed = NULL;
    if (!f)
        return;
    for (int i = 0; i < f->lane_count; i++)
        for (int slot = 0; slot < SLOTS; slot++)
            if (f->lanes[i].ticket[slot])
                fv_gpu_settle(f->gpu, fv_gpu_feed_queue(f->side, i), false, f->lanes[i].ticket[slot]);
    for (int i = 0; i < f->lane_count; i++)
        f->gpu->ops->free(f->gpu, &f->lanes[i].memory);
    fv_gpu_store_close(&f->store);
    while (f->targets) {
        Target *next = f->targets->next;
        free(f->targets);
        f->targets = next;
    }
    free(f);
}
