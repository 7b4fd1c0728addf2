/*
 * A feed sends frames to a device slice by slice. The threads that read a file fill small blocks of memory, which
 * stay in the processor's caches and which the device reads directly; each slice is sent as soon as it is complete. A
 * device makes one feed per side (FvDeviceOps.feed) and closes it with the device.
 */
#pragma once

#include "fovea/fovea.h"

#define FV_FEED_LANES 8                 /* maximum number of threads that use a feed */
#define FV_FEED_SLICE ((size_t)1 << 20) /* maximum bytes of a slice */

typedef struct FvFeed FvFeed;

typedef struct FvFeedOps {
    /*
     * Makes a frame in device memory whose planes follow each other without gaps, of a format that fv_feed_takes()
     * accepts.
     */
    FvStatus (*frame)(FvFeed *feed, FvFrame **frame, const FvFormat *format, FvError *error);
    /*
     * Returns FV_FEED_SLICE bytes of unused memory; may wait for the device. `lane`: number of the thread, from 0.
     * The memory stays valid until the thread's next call.
     */
    FvStatus (*slot)(FvFeed *feed, int lane, uint8_t **memory, FvError *error);
    /* Begins to upload the thread's memory to `offset` in the frame. */
    FvStatus (*send)(FvFeed *feed, int lane, const FvFrame *frame, size_t offset, size_t bytes, FvError *error);
    /*
     * Makes work on the frame wait for its slices. Called once per frame, after all threads have sent their slices.
     */
    void (*end)(FvFeed *feed, FvFrame *frame);
} FvFeedOps;

struct FvFeed {
    const FvFeedOps *ops;
    double waited; /* seconds that a thread waited for the device, on average */
};

/* Returns whether a feed supports this format: its rows without gaps must be multiples of 16 bytes. */
bool fv_feed_takes(const FvFormat *format);
