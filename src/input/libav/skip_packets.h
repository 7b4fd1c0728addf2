/*
 * Chooses the packets that are not decoded: of frames that are not needed, and of frames before the target of a seek.
 */
#pragma once

#include <libavcodec/avcodec.h>

#include "input/frame_selection.h"
#include "input/index.h"

/* The method by which frames that are not needed are skipped. */
typedef enum FvSkipping {
    FV_SKIPPING_UNKNOWN,      /* the method is not chosen yet */
    FV_SKIPPING_NONE,         /* all frames are decoded */
    FV_SKIPPING_PACKETS,      /* packets are dropped, each of which is an independent picture */
    FV_SKIPPING_UNREFERENCED, /* packets that nothing refers to are dropped */
} FvSkipping;

typedef struct FvSkips {
    FvSkipping how;        /* method for frames that are not in `need` */
    FvFrameSelection need; /* the frames that are needed; none while seeking to a frame */
    int64_t from;          /* first frame to which `how` applies: packets of earlier frames were decoded before */
    const FvIndex *index;  /* an index that has times */
    /* range of frames that may be dropped because nothing refers to them; `first` equal to `end`: none */
    int64_t first, end;
    bool *out; /* for each frame of [first, end), whether it was dropped */
} FvSkips;

/* Returns whether pictures of the codec may state that no other refers to them. */
bool fv_skips_possible(const AVCodecParameters *codec);

/* Returns whether the frames of the codec are complete packets that need no other packet. */
bool fv_skips_whole_packets(const AVCodecParameters *codec);

/*
 * Lets the frames of [first, end) be dropped to which nothing refers and which are not in `need`. `need` NULL: no
 * frame is needed. `index` must have times. If memory runs out, all frames are decoded.
 */
void fv_skips_begin(FvSkips *skips, const FvIndex *index, int64_t first, int64_t end, const FvFrameSelection *need);

/* Returns whether to drop this packet. `number`: number of pictures read before it. */
bool fv_skips_drop(FvSkips *skips, const AVPacket *packet, const AVCodecParameters *codec, int64_t number);

/* Returns the first frame, from `frame` on, that was not dropped. */
int64_t fv_skips_next(const FvSkips *skips, int64_t frame);

/* Ends the dropping of frames while seeking; fv_skips_stop() also makes all frames be decoded. */
void fv_skips_end(FvSkips *skips);
void fv_skips_stop(FvSkips *skips);
