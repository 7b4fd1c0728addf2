/* Reads pairs of frames for a viewer, and caches the recently requested ones. Thread-safe. */
#pragma once

#include "fovea/fovea.h"

typedef struct ViewFrames ViewFrames;

/*
 * Prepares to read two files, which the first request for a pair opens; file[0].path NULL: no reference. At most
 * `bytes` of frames are cached, but at least one pair. The strings and `params` must outlive the object.
 */
FvStatus view_frames_open(ViewFrames **frames, const FvSourceParams file[2], const FvScoreParams *params,
                          size_t bytes, FvError *error);

/* Reads a pair, as fv_pairs_read() does. */
FvStatus view_frames_get(ViewFrames *frames, int64_t number, FvFrame *pair[2], FvError *error);

/* The result of fv_pairs_coding() for one side, with a copy of the description. */
typedef struct ViewCoding {
    char codec[64];       /* codec string of RFC 6381 */
    uint8_t *description; /* set-up of the decoder, which the caller frees; or NULL */
    size_t size;
} ViewCoding;

FvStatus view_frames_coding(ViewFrames *frames, int side, ViewCoding *coding, FvError *error);

/* Receives a packet, which is valid during the call. Returns whether it wants the next one. */
typedef bool ViewTakePacket(void *opaque, const FvPacket *packet);

/* Reads packets of one side, as fv_pairs_packet() does, from the one after `passed` others on. FV_END: no packet. */
FvStatus view_frames_packets(ViewFrames *frames, int side, int64_t number, int64_t passed, ViewTakePacket *take,
                             void *opaque, FvError *error);

/* Returns the frame to draw: the Y'CbCr variant of an RGB frame, else the frame itself. */
const FvFrame *view_frame_drawn(const FvFrame *frame);

void view_frames_close(ViewFrames **frames);
