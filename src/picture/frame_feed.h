/*
 * Frames that go to a device slice by slice: the threads that read a file read into a little memory that the device
 * reads by itself, so little that it stays in the processor's caches, and each slice is sent as soon as it is there.
 * A device that has such a thing makes one for each side (FvDeviceOps.feed) and keeps it until it is closed.
 */
#ifndef FV_PICTURE_FRAME_FEED_H
#define FV_PICTURE_FRAME_FEED_H

#include "fovea/fovea.h"

#define FV_FEED_LANES 8                 /* of a feed at most */
#define FV_FEED_SLICE ((size_t)1 << 20) /* bytes of a slice at most */

typedef struct FvFeed FvFeed;

typedef struct FvFeedOps {
    /* A frame in the device's memory with the planes one behind the other, as fv_feed_takes has them. */
    FvStatus (*frame)(FvFeed *feed, FvFrame **frame, const FvFormat *format, FvError *error);
    /*
     * Memory for FV_FEED_SLICE bytes, which nobody uses any more; may wait for the device. A lane is one thread's,
     * from 0; its memory is there until it asks for the next.
     */
    FvStatus (*slot)(FvFeed *feed, int lane, uint8_t **memory, FvError *error);
    /* Begins to send what lies in the lane's memory to `offset` in the frame. */
    FvStatus (*send)(FvFeed *feed, int lane, const FvFrame *frame, size_t offset, size_t bytes, FvError *error);
    /* All slices of the frame were sent: work on the frame waits for them. After all lanes are done with it. */
    void (*end)(FvFeed *feed, FvFrame *frame);
} FvFeedOps;

struct FvFeed {
    const FvFeedOps *ops;
    double waited; /* seconds that lanes waited for the device, divided by their number */
};

/* Whether frames of this format can lie so: rows without gaps are multiples of 16 bytes. */
bool fv_feed_takes(const FvFormat *format);

#endif
