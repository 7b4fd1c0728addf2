/* Reads the packets of one video stream in the order of the file, and detects damage in them. */
#pragma once

#include <libavcodec/avcodec.h>

#include "input/libav/container.h"
#include "input/libav/facts.h"
#include "input/libav/packets.h"

/* Number of packets read in advance, because parsers put the damage flag of a packet on the picture before it. */
#define FV_DEMUX_AHEAD 2

/* A demuxer. All zero: closed. */
typedef struct FvDemux {
    FvContainer container;
    FvFacts *facts; /* receives what the first packet states */
    FvLateStart start;
    int stream;
    AVPacket *packet; /* the packet that was read last */
    struct {
        AVPacket *packet;
        int code;            /* libav's result of reading the packet */
    } ahead[FV_DEMUX_AHEAD]; /* packets after `packet` that were read in advance */
    int looked;              /* number of packets in `ahead` */
    bool begun; /* a packet was read since the container was opened; the times below are those of the first packet */
    int64_t first_dts, first_pts;
    int64_t last_dts; /* decoding time of the last packet that was read */
    int64_t shown;    /* number of packets with shown pictures read since the beginning */
    FvPackets seen;   /* the packets from the first one on, unless reading began in the middle */
} FvDemux;

/*
 * Opens the container of the source at its beginning, and chooses the stream with number `choice` among its video
 * streams, or the best stream if `choice` is 0. `format` and `known` as in fv_container_open(). The caller closes the
 * demuxer, also after a failure.
 */
FvStatus fv_demux_open(FvDemux *demux, FvSource *source, const char *format, int choice, enum AVCodecID known,
                       FvLibavLog *log, FvError *error);

void fv_demux_close(FvDemux *demux);

const AVStream *fv_demux_stream(const FvDemux *demux);

/*
 * Returns whether the container states that the packets are encrypted: Common Encryption of MP4 and Matroska,
 * SAMPLE-AES of HLS.
 */
bool fv_demux_is_encrypted(const FvDemux *demux);
const AVCodecParameters *fv_demux_codec(const FvDemux *demux);

/*
 * Reads the next packet of the stream into demux->packet. Returns 0, or an error of libav that says why there is
 * none.
 */
int fv_demux_read(FvDemux *demux);

/* Reads the next packet of the stream into `packet` without any check. Returns the code of libav. */
int fv_demux_peek(FvDemux *demux, AVPacket *packet);

/*
 * Reads the next packet, as fv_demux_read() does, but skips packets that show nothing, and returns the reason of a
 * failure in `error`.
 */
FvStatus fv_demux_next(FvDemux *demux, FvError *error);

/* Puts the first packet, the only one read so far, back: the next read returns it again. */
void fv_demux_put_back(FvDemux *demux);

/*
 * Makes the packet with these times the next one; equal times mean that the decoding time is unknown
 * (FvIndex.enter_dts). False: the packet cannot be found.
 */
bool fv_demux_find(FvDemux *demux, int64_t dts, int64_t pts);

/* Returns the decoding time of a packet. No two packets have the same. */
int64_t fv_demux_decoded_at(const AVPacket *packet);

/*
 * Fails with "frame N cannot be WHAT" for frame source->next, and the reason that libav gave. `decoder`: the decoder
 * that failed, or NULL.
 */
FvStatus fv_demux_fail_frame(const FvDemux *demux, const AVCodecContext *decoder, const char *what, int code,
                             FvError *error);

/* Fails because the video ends before the last frame that its container states. */
FvStatus fv_demux_fail_short(const FvDemux *demux, FvError *error);
