/*
 * Feeds send frames to a device slice by slice. The threads that read a file fill small blocks of memory that the
 * device reads by itself; they stay in the processor's caches, and each slice is sent as soon as it is complete. A
 * device with feeds makes one for each side (FvDeviceOps.feed) and keeps it until the device is closed.
 */
#pragma once

#include "fovea/fovea.h"

#define FV_FEED_LANES 8                 /* most lanes of a feed */
#define FV_FEED_SLICE ((size_t)1 << 20) /* most bytes of a slice */

typedef struct FvFeed FvFeed;

typedef struct FvFeedOps {
    /* Makes a frame in the device's memory whose planes follow each other without gaps. See fv_feed_takes. */
    FvStatus (*frame)(FvFeed *feed, FvFrame **frame, const FvFormat *format, FvError *error);
    /*
     * Gives FV_FEED_SLICE bytes of unused memory; may wait for the device. Each thread has a lane of its own,
     * numbered from 0. The memory is the lane's until it asks for the next.
     */
    FvStatus (*slot)(FvFeed *feed, int lane, uint8_t **memory, FvError *error);
    /* Begins to upload the lane's memory to `offset` in the frame. */
    FvStatus (*send)(FvFeed *feed, int lane, const FvFrame *frame, size_t offset, size_t bytes, FvError *error);
    /* Makes work on the frame wait for its slices. Called once, after all lanes have sent theirs. */
    void (*end)(FvFeed *feed, FvFrame *frame);
} FvFeedOps;

struct FvFeed {
    const FvFeedOps *ops;
    double waited; /* seconds that a lane waited for the device, on average */
};

/* Returns whether a feed supports this format: its rows without gaps must be multiples of 16 bytes. */
bool fv_feed_takes(const FvFormat *format);
