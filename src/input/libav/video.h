/* A video that is read through libav, inside: what the files libav*.c share. */
#pragma once

#include "input/libav/container.h"
#include "input/image/heif.h"
#include "input/hwdec/hwdec.h"
#include "input/libav/packets.h"
#include "input/libav/pixels.h"
#include "input/image/unsupported_samples.h"
#include "input/image/png.h"
#include "input/prores/prores.h"
#include "input/libav/skips.h"
#include "os/thread.h"

/*
 * Pictures of HEVC that a decoder makes, in the order of decoding, until one that was decoded later comes out: it may
 * refer to them, so they are looked at first.
 */
#define FV_LIBAV_MADE 256
typedef struct FvLibavMade {
    FvMutex lock; /* the threads of the decoder add to it */
    AVFrame *picture[FV_LIBAV_MADE];
    int count;
} FvLibavMade;

/* How frames that are not needed are passed. */
typedef enum FvPassing {
    FV_PASSING_UNKNOWN, /* not chosen yet */
    FV_PASSING_NONE,    /* they are decoded */
    FV_PASSING_PACKETS, /* their packets are dropped: each is a picture of its own */
    FV_PASSING_SKIPS,   /* packets that nothing refers to are dropped */
} FvPassing;

#define FV_LIBAV_AHEAD 2 /* packets: parsers hand the mark of a packet to the picture before it */

typedef struct FvLibav {
    FvContainer container;
    FvLibavLog log;
    char *format;            /* the format of the container that the caller named, or NULL */
    bool opened;             /* the log is open */
    AVCodecContext *decoder; /* NULL when fovea decodes itself */
    FvProresInput *prores;   /* then this one decodes */
    bool prores_by_libavcodec;
    FvLibavMade made;
    AVPacket *packet;
    AVFrame *picture;
    bool waiting; /* picture (or packet, with prores) waits to be read: it was decoded to learn the format */
    bool peeked;  /* the first packet was decoded for the same reason, and comes again */
    int stream;
    enum AVPixelFormat pixel_format;
    FvPixels pixels;                        /* of the pixel format */
    AVPacket *ahead[FV_LIBAV_AHEAD];        /* packets behind `packet`, when they had to be looked at */
    int looked, ahead_code[FV_LIBAV_AHEAD]; /* their number, and the codes that reading them gave */
    int threads;                            /* for decoding, as the caller wants */
    bool going;                             /* the next frame is source->next */
    bool entered;                           /* decoding began at a packet in the middle, and */
    int64_t entered_pts; /* pictures shown before it are left out, as they may refer to packets that were not read */
    FvSkips skips;       /* on the way to a frame, or of those that are not needed */
    FvPassing passing;   /* of frames that are not needed, */
    FvNeed need;         /* by this, */
    int64_t passes_from; /* from this one on: the packets of earlier ones were decoded before */
    int64_t shown;       /* packets of pictures that were read since the beginning */
    bool drained;        /* the decoder was told that no packet follows */
    int choice;          /* the video stream that the caller chose, from 1, or 0 */
    FvRgb rgb;
    int rgb_matrix;      /* by which RGB is converted */
    int background;      /* under alpha */
    FvFormat tags;       /* of the caller, which replace the file's */
    FvFormat stated;     /* colour by the first picture, as far as the caller states none */
    bool animated_webp;  /* which libavcodec 59 does not decode */
    const char *inks;    /* why its samples are refused, or NULL */
    FvHeif heif;         /* what the container says of a picture */
    FvOrientation turn;  /* of a picture, where libav does not tell */
    FvPng png;           /* what the first packet says, if it is a PNG picture */
    bool no_grain;       /* the decoder adds no film grain */
    bool wants_alpha;    /* and the pixel format has it */
    FvFramePool *alpha;  /* memory for it */
    char mastering[192]; /* source->info points at it */
    FvHwdecLoan loan;    /* of hardware decoders */
    FvHwdec *hwdec;      /* they decode instead of `decoder`; or NULL */
    bool left;           /* they were left: the CPU goes on, and begins at the start of the video */
    bool begun;          /* a packet was read since the container was opened; the first one has */
    int64_t first_dts, first_pts, last_dts; /* of the packets that were read */
    FvPackets seen; /* the packets from the first one on, unless decoding began in the middle */
    bool unlisted;  /* there was no memory for one of them */
    char cut[256];  /* why the demuxer gave up, while the decoder still has pictures; "" for no reason */
} FvLibav;

/* Packets (demux.c). */

/* The next packet of the stream into libav->packet, or an error of libav that says why there is none. */
int fv_libav_demux(FvLibav *libav);

/* As fv_libav_demux(), without packets that show nothing, and with the reason in `error`. */
FvStatus fv_libav_next_packet(FvSource *source, FvError *error);

/* Makes the packet with these times the next one. False: it cannot be found. */
bool fv_libav_find_packet(FvLibav *libav, int64_t dts, int64_t pts);

/* The time at which a packet is decoded, which is unique. */
int64_t fv_libav_decoded_at(const AVPacket *packet);

bool fv_libav_is_mov(const FvLibav *libav);
const AVCodecParameters *fv_libav_codec(const FvLibav *libav);

/* The picture is one of FvLibav.inks. */
FvStatus fv_libav_fail_inks(const FvSource *source, FvError *error);

/* Frame source->next "cannot be <what>", for the reason that libav gave. */
FvStatus fv_libav_fail_frame(const FvSource *source, const char *what, int code, FvError *error);

/* The video ends before the last frame that its container promises. */
FvStatus fv_libav_fail_short(const FvSource *source, FvError *error);

/* Opening and closing (start.c). */

/* Opens the container at the beginning of the video. */
FvStatus fv_libav_start_container(FvSource *source, const AVCodec **codec, FvError *error);

/* Opens the container and, unless fovea decodes itself, libav->decoder. */
FvStatus fv_libav_start(FvSource *source, int threads, FvError *error);

/* Whether streams of the codec may ask their decoder for film grain. */
bool fv_libav_adds_grain(enum AVCodecID codec);

/* Closes everything. */
void fv_libav_stop(FvLibav *libav);

/* Opens everything again, before the first frame, to be decoded on the CPU. */
FvStatus fv_libav_restart(FvSource *source, FvError *error);

/*
 * Whether the first packet alone gave the first picture, which is then libav->picture. The first packet comes again,
 * for other decoders or, after fv_libav_settle(), for this one.
 */
bool fv_libav_peek(FvLibav *libav);

/* Before the CPU decodes: opens the decoder again after fv_libav_peek(). */
FvStatus fv_libav_settle(FvSource *source, FvError *error);

/* Fills in what the container states: ticks, frames, seconds (stated.c). */
void fv_libav_take_container(FvSource *source);

/* Pictures that libavcodec decodes (decode.c). */

/* For AVCodecContext.get_buffer2: memory whose former content no picture shows. */
int fv_libav_get_buffer(AVCodecContext *decoder, AVFrame *picture, int flags);

/* After a decoder was closed or flushed: none of the pictures that it made will come. */
void fv_libav_forget_made(FvLibavMade *made);

/* Puts the next decoded picture into libav->picture. */
FvStatus fv_libav_decode(FvSource *source, FvError *error);

/* The same; a failure with several threads is tried again with one, from the beginning of the video. */
FvStatus fv_libav_decode_next(FvSource *source, FvError *error);

/* ProRes, which fovea decodes itself (prores.c): describes the video, and reads a frame. */
FvStatus fv_libav_open_prores(FvSource *source, const FvSourceParams *params, FvError *error);
FvStatus fv_libav_read_prores(FvSource *source, FvFrame **frame, FvError *error);
FvStatus fv_libav_pass_prores(FvSource *source, FvFrame **frame, FvError *error);

/* Frames that are not needed (pass.c). */

/* As FvSourceOps. */
FvStatus fv_libav_pass(FvSource *source, FvFrame **frame, FvError *error);

/* Before a frame is read or passed: chooses libav->passing. */
void fv_libav_choose_passing(FvSource *source);

/* Whether frames were dropped that are needed by now. */
bool fv_libav_lacks_frames(const FvSource *source);

/* Whether the packet that was read is dropped. */
bool fv_libav_drops(FvLibav *libav);

/* The picture of frame source->next, which is needed, into libav->picture. */
FvStatus fv_libav_decode_needed(FvSource *source, FvError *error);

/* All frames are decoded from here on. */
void fv_libav_end_passing(FvLibav *libav);

/* Going to a frame (seek.c). */

/* As FvSourceOps. */
FvStatus fv_libav_seek(FvSource *source, int64_t frame, FvError *error);

/* Leaves frames out up to `frame`. */
FvStatus fv_libav_advance(FvSource *source, int64_t frame, FvError *error);

/* Whether the index agrees on the picture that was decoded. */
FvStatus fv_libav_check_time(const FvSource *source, FvError *error);

/* The same for the packet that was read, where every packet is a picture. */
FvStatus fv_libav_check_place(const FvSource *source, FvError *error);

/* Hardware decoders (hardware.c). */

/* Whether the caller lets hardware decoders take over the video that is being opened. */
bool fv_libav_may_use_hwdec(const FvSource *source, const FvSourceParams *params);

/* As FvSourceOps. */
bool fv_libav_suits_hwdec(const FvSource *source);
void fv_libav_use_hwdec(FvSource *source, const FvHwdecLoan *loan);

/* With libav->hwdec: the next frame is this one, which the index has. False: they cannot begin there. */
bool fv_libav_enter_hwdec(FvSource *source, int64_t frame);

/* With libav->hwdec: the next frame, or the end. `fails`: they give no frame, for the reason in `error`. */
FvStatus fv_libav_read_hwdec(FvSource *source, FvFrame **frame, bool *fails, FvError *error);
