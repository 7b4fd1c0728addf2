/* Frames that are not decoded on the way to another one, because no picture refers to them. */
#pragma once

#include <libavcodec/avcodec.h>

#include "input/index.h"
#include "input/need.h"

/* Frames [first, end), less those that are needed. */
typedef struct FvSkips {
    const FvIndex *index;
    int64_t first, end; /* equal: all are decoded */
    bool *out;          /* for each: it was left out */
    const FvNeed *need; /* NULL: none is */
} FvSkips;

/* Whether pictures of the codec may say that none refers to them. */
bool fv_skips_possible(const AVCodecParameters *codec);

/* The index has times. Without memory everything is decoded. */
void fv_skips_begin(FvSkips *skips, const FvIndex *index, int64_t first, int64_t end, const FvNeed *need);

/* Whether this packet is left out: one of the frames, and nothing refers to it. */
bool fv_skips_take(FvSkips *skips, const AVPacket *packet, const AVCodecParameters *codec);

/* The first frame from this one on that was not left out. */
int64_t fv_skips_next(const FvSkips *skips, int64_t frame);

/* From here on all frames are decoded. */
void fv_skips_end(FvSkips *skips);
