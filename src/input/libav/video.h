/* A video that libav reads: its packets, the decoder on the CPU, and their current position. */
#pragma once

#include "input/libav/decoder.h"
#include "input/libav/skip_packets.h"

/* The origin of the next frame, source->next. */
typedef enum FvVideoState {
    FV_VIDEO_LOST,     /* unknown: the video is not open, or a failure left the packets at an unknown position */
    FV_VIDEO_NEXT,     /* the decoder delivers it next */
    FV_VIDEO_READY,    /* decoder.picture; without a decoder, the packet demux.packet */
    FV_VIDEO_PEEKED,   /* decoder.picture; its packet will be read again for another decoder */
    FV_VIDEO_HARDWARE, /* hardware decoders deliver it */
    FV_VIDEO_LEFT, /* from the CPU, which must first decode from the start of the video: hardware decoders delivered
                      the earlier frames */
    FV_VIDEO_STATES
} FvVideoState;

typedef enum FvVideoEvent {
    FV_VIDEO_OPENED, /* container and decoder are open, and at their beginning */
    FV_VIDEO_PEEK,   /* the first packet alone sufficed to decode a picture */
    FV_VIDEO_FOUND,  /* the next frame was decoded, or its packet was read, and waits to be delivered */
    FV_VIDEO_TAKEN,  /* the next frame was read or skipped */
    FV_VIDEO_FAILED,
    FV_VIDEO_HANDED, /* hardware decoders begin at the next frame */
    FV_VIDEO_BACK,   /* hardware decoders are closed, or could not be opened */
    FV_VIDEO_EVENTS
} FvVideoEvent;

typedef struct FvVideo {
    FvSource *source;
    char *format; /* container format that the caller named; NULL: none */
    int choice;   /* number of the video stream that the caller chose, from 1; 0: none */
    bool prores_by_libavcodec;
    FvFacts facts;
    FvDemux demux;
    FvDecoder decoder; /* the CPU's decoder; its context is NULL if fovea decodes itself */
    FvSkips skips;
    FvVideoState state;
    bool entered;        /* decoding began at a packet in the middle of the video */
    int64_t entered_pts; /* presentation time of that packet; earlier pictures are left out, as they may refer to
                            packets that were not read */
    bool start_known;    /* fv_video_find_start() has looked for the place where decoding begins */
} FvVideo;

/* Returns the state after an event. An event that cannot happen in a state changes nothing. */
FvVideoState fv_video_after(FvVideoState state, FvVideoEvent event);
void fv_video_turn(FvVideo *video, FvVideoEvent event);

/* Closes container and decoder, and opens the container at the beginning of the video. */
FvStatus fv_video_rewind(FvVideo *video, const AVCodec **codec, FvError *error);

/*
 * Starts the video again and, unless fovea decodes itself, opens the decoder with at most that many threads. The
 * caller sets source->next.
 */
FvStatus fv_video_start(FvVideo *video, int threads, FvError *error);

/*
 * Finds the first picture from which on all pictures of an H.264 or HEVC video are decoded without damage, if the
 * video does not begin with a picture at which decoding can begin, and starts again there. Call it after
 * fv_video_start(). Nothing changes if there is no such picture, or if the video comes through a pipe.
 */
FvStatus fv_video_find_start(FvVideo *video, int threads, FvError *error);

/* Opens the video again at its beginning, for decoding on the CPU. */
FvStatus fv_video_restart(FvVideo *video, FvError *error);

/* Opens the decoder again if the video was peeked at. Call it before the CPU decodes. */
FvStatus fv_video_settle(FvVideo *video, FvError *error);

/* Closes container and decoder. Close the hardware decoders before, because they use both. */
void fv_video_stop(FvVideo *video);

/*
 * Puts the picture of the next frame into decoder.picture. A failure with several threads is tried again with one,
 * from the beginning of the video.
 */
FvStatus fv_video_decode(FvVideo *video, FvError *error);

/* Skips frames up to `frame`. */
FvStatus fv_video_advance(FvVideo *video, int64_t frame, FvError *error);

/* Checks the decoded picture against the index; if every packet is a picture, checks the packet. */
FvStatus fv_video_check_time(const FvVideo *video, FvError *error);
FvStatus fv_video_check_place(const FvVideo *video, FvError *error);
