#include "gpu/feed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "frame.h"
#include "gpu/store.h"
#include "pace.h"

/* Enough that a thread reads on while the device copies, and so few that all of them stay in the caches. */
#define SLOTS 4

/* Of a slice that waits to be submitted. */
#define UNSUBMITTED UINT64_MAX

typedef struct Lane {
    FvGpuMemory memory;     /* of all its slots; none before the first is asked for */
    uint64_t ticket[SLOTS]; /* of what was sent from each */
    int slot;               /* the one that was asked for last */
    uint64_t sent;          /* bytes */
    double waited;
} Lane;

typedef struct Slice {
    const FvGpuMemory *to;
    size_t offset, bytes;
    Lane *lane;
    int slot;
} Slice;

#define MOST_SLICES (FV_FEED_LANES * SLOTS)

/* What was sent into a block of the store last: it may have been released before it was there. */
typedef struct Target {
    FvGpuFed fed;
    const void *memory;
    struct Target *next;
} Target;

/*
 * To submit takes long, and only one thread at a time can: whoever comes meanwhile leaves his slice to that thread,
 * which submits all that it finds at once.
 */
struct FvGpuFeed {
    FvFeed feed;
    FvGpu *gpu;
    FvGpuQueue queue;
    FvGpuStore *store; /* its frames alone */
    Target *targets;   /* one for each block */
    _Atomic uint64_t sent;
    pthread_mutex_t lock; /* of what follows, and of the lanes' tickets */
    pthread_cond_t submitted;
    bool submitting;
    Slice waiting[MOST_SLICES];
    int waiting_count;
    uint64_t ticket; /* the last one */
    int lane_count;
    Lane lanes[];
};

static Target *find_target(FvGpuFeed *feed, const void *memory)
{
    Target *target = feed->targets;
    while (target && target->memory != memory)
        target = target->next;
    if (!target && (target = calloc(1, sizeof *target))) {
        target->memory = memory;
        target->fed.queue = feed->queue;
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
    status = target ? feed->gpu->ops->wait(feed->gpu, feed->queue, target->fed.ticket, error)
                    : fv_fail_memory(error, sizeof *target);
    if (status)
        fv_frame_unref(frame);
    else
        fv_frame_fed(*frame, &target->fed);
    return status;
}

/* A slice that is still with another thread has no ticket yet. */
static uint64_t ticket_of(FvGpuFeed *feed, const Lane *lane, int slot)
{
    pthread_mutex_lock(&feed->lock);
    while (lane->ticket[slot] == UNSUBMITTED)
        pthread_cond_wait(&feed->submitted, &feed->lock);
    const uint64_t ticket = lane->ticket[slot];
    pthread_mutex_unlock(&feed->lock);
    return ticket;
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
    const double started = fv_seconds();
    status = ops->wait(feed->gpu, feed->queue, ticket_of(feed, lane, lane->slot), error);
    lane->waited += fv_seconds() - started;
    *memory = lane->memory.host + (size_t)lane->slot * FV_FEED_SLICE;
    return status;
}

static FvStatus submit(FvGpuFeed *feed, const Slice *slices, int count, uint64_t *ticket, FvError *error)
{
    const FvGpuOps *ops = feed->gpu->ops;
    FvStatus status = ops->begin(feed->gpu, feed->queue, error);
    if (status)
        return status;
    for (int i = 0; i < count; i++)
        ops->copy(feed->gpu, feed->queue, slices[i].to, slices[i].offset, &slices[i].lane->memory,
                  (size_t)slices[i].slot * FV_FEED_SLICE, slices[i].bytes);
    return ops->submit(feed->gpu, feed->queue, ticket, error);
}

/* With the lock held, which is released meanwhile. */
static FvStatus submit_waiting(FvGpuFeed *feed, FvError *error)
{
    Slice slices[MOST_SLICES];
    const int count = feed->waiting_count;
    uint64_t ticket = feed->ticket;
    memcpy(slices, feed->waiting, (size_t)count * sizeof *slices);
    feed->waiting_count = 0;
    feed->submitting = true;
    pthread_mutex_unlock(&feed->lock);
    const FvStatus status = submit(feed, slices, count, &ticket, error);
    pthread_mutex_lock(&feed->lock);
    feed->submitting = false;
    feed->ticket = ticket;
    for (int i = 0; i < count; i++)
        slices[i].lane->ticket[slices[i].slot] = ticket;
    pthread_cond_broadcast(&feed->submitted);
    return status;
}

/* All slices that wait are of one frame, which fails as a whole when some cannot be submitted. */
static FvStatus send(FvFeed *opaque, int number, const FvFrame *frame, size_t offset, size_t bytes, FvError *error)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    Lane *lane = &feed->lanes[number];
    FvStatus status = FV_OK;
    lane->sent += bytes;
    pthread_mutex_lock(&feed->lock);
    lane->ticket[lane->slot] = UNSUBMITTED;
    feed->waiting[feed->waiting_count++] = (Slice){fv_frame_place(frame)->memory, offset, bytes, lane, lane->slot};
    while (!feed->submitting && feed->waiting_count && !status)
        status = submit_waiting(feed, error);
    pthread_mutex_unlock(&feed->lock);
    return status;
}

/* All lanes are done with the frame, so that none of its slices waits. */
static void end_frame(FvFeed *opaque, FvFrame *frame)
{
    FvGpuFeed *feed = (FvGpuFeed *)opaque;
    uint64_t sent = 0;
    double waited = 0;
    find_target(feed, fv_frame_place(frame)->memory)->fed.ticket = feed->ticket;
    for (int i = 0; i < feed->lane_count; i++) {
        sent += feed->lanes[i].sent;
        waited += feed->lanes[i].waited;
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
    f->queue = side ? FV_GPU_FEED_DISTORTED : FV_GPU_FEED_REFERENCE;
    f->lane_count = lanes;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->submitted, NULL);
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
    if (f->ticket)
        fv_gpu_settle(f->gpu, f->queue, false, f->ticket);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->submitted);
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
