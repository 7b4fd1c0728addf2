/* Frames that are not decoded: those that are not needed, and those on the way to another one. */
#pragma once

#include <libavcodec/avcodec.h>

#include "input/index.h"
#include "input/need.h"

/* How frames that are not needed are skipped. */
typedef enum FvSkipping {
    FV_SKIPPING_UNKNOWN,      /* not chosen yet */
    FV_SKIPPING_NONE,         /* they are decoded */
    FV_SKIPPING_PACKETS,      /* their packets are dropped: each is a picture of its own */
    FV_SKIPPING_UNREFERENCED, /* packets that nothing refers to are dropped */
} FvSkipping;

typedef struct FvSkips {
    FvSkipping how;       /* for frames that `need` leaves out */
    FvNeed need;          /* all zero on the way to a frame, where none is needed */
    int64_t from;         /* first frame that `how` counts for: packets of earlier ones were decoded before */
    const FvIndex *index; /* an index that has times */
    int64_t first, end;   /* frames that may be dropped because nothing refers to them; equal: none may */
    bool *out;            /* for each of these: it was dropped */
} FvSkips;

/* Whether pictures of the codec may say that none refers to them. */
bool fv_skips_possible(const AVCodecParameters *codec);

/* Whether the frames of the codec are whole packets that need no other packet. */
bool fv_skips_whole_packets(const AVCodecParameters *codec);

/*
 * Frames [first, end) of an index with times may be dropped where nothing refers to them and `need`, if it is not
 * NULL, does not have them. Without memory everything is decoded.
 */
void fv_skips_begin(FvSkips *skips, const FvIndex *index, int64_t first, int64_t end, const FvNeed *need);

/* Whether this packet is dropped. `number`: how many pictures were read before it. */
bool fv_skips_drop(FvSkips *skips, const AVPacket *packet, const AVCodecParameters *codec, int64_t number);

/* The first frame from this one on that was not dropped. */
int64_t fv_skips_next(const FvSkips *skips, int64_t frame);

/* From here on no frame is dropped on the way; fv_skips_stop: and all frames are decoded. */
void fv_skips_end(FvSkips *skips);
void fv_skips_stop(FvSkips *skips);
