/* Decodes the pictures of a video with libavcodec on the CPU. */
#pragma once

#include "input/libav/demux.h"
#include "os/thread.h"

/*
 * The maximum number of HEVC pictures that are kept, in the order of decoding, until a picture that was decoded later
 * is delivered: it may refer to them, so they are checked first.
 */
#define FV_DECODER_MADE 256
typedef struct FvDecoderMade {
    FvMutex lock; /* guards the other members; the decoder's threads add pictures */
    AVFrame *picture[FV_DECODER_MADE];
    int count;
} FvDecoderMade;

/* Whether packets follow those that the decoder has. */
typedef enum FvDecoderEnd {
    FV_DECODER_GOES_ON,
    FV_DECODER_ENDS, /* the caller has announced the end of the file */
    FV_DECODER_CUT,  /* no packet follows, because the demuxer gave up for the reason in `cut` */
} FvDecoderEnd;

typedef struct FvDecoder {
    FvLibavLog log; /* log of the video. It must be the first member: libavcodec passes its address to callbacks */
    AVCodecContext *context; /* decoder of libavcodec; NULL: closed */
    AVFrame *picture;        /* the last delivered picture */
    FvDecoderMade made;
    FvDecoderEnd end;
    char cut[256];
    int threads;   /* number of decoding threads: the caller's, or 1 once the stream requires it */
    bool no_grain; /* the decoder must not add film grain */
} FvDecoder;

/*
 * Opens libavcodec's decoder of the stream with at most `threads` threads. The caller closes it, also after a
 * failure.
 */
FvStatus fv_decoder_open(FvDecoder *decoder, const FvDemux *demux, const AVCodec *codec, int threads, FvError *error);

void fv_decoder_close(FvDecoder *decoder);

/* Makes the decoder drop all packets that it has received, without delivering their pictures. */
void fv_decoder_flush(FvDecoder *decoder);

/* Returns whether streams of the codec may request film grain from the decoder. */
bool fv_decoder_adds_grain(enum AVCodecID codec);

/*
 * Returns whether the first packet alone suffices to decode the first picture, which is then decoder->picture. The
 * packet is put back for another decoder, since this decoder cannot decode further pictures afterwards.
 */
bool fv_decoder_peek(FvDecoder *decoder, FvDemux *demux);

/* Chooses packets that are not decoded. */
typedef struct FvDecoderFilter {
    bool (*leaves_out)(void *opaque, const AVPacket *packet);
    void *opaque;
} FvDecoderFilter;

/*
 * Puts the next picture into decoder->picture. FV_END: there is none. A picture with a part that libavcodec conceals
 * or silently leaves undecoded is an error.
 */
FvStatus fv_decoder_read(FvDecoder *decoder, FvDemux *demux, const FvDecoderFilter *filter, FvError *error);
