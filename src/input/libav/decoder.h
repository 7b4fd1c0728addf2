/* The pictures of a video, by libavcodec on the CPU. */
#pragma once

#include "input/libav/demux.h"
#include "os/thread.h"

/*
 * Pictures of HEVC that a decoder makes, in the order of decoding, until one that was decoded later comes out: it may
 * refer to them, so they are looked at first.
 */
#define FV_DECODER_MADE 256
typedef struct FvDecoderMade {
    FvMutex lock; /* the threads of the decoder add to it */
    AVFrame *picture[FV_DECODER_MADE];
    int count;
} FvDecoderMade;

/* Whether packets follow. */
typedef enum FvDecoderEnd {
    FV_DECODER_GOES_ON,
    FV_DECODER_ENDS, /* it was told that the file ends, */
    FV_DECODER_CUT,  /* or that no packet follows where the demuxer gave up, for the reason in `cut` */
} FvDecoderEnd;

typedef struct FvDecoder {
    FvLibavLog log;          /* of the video. The first member: libavcodec hands its address to callbacks */
    AVCodecContext *context; /* NULL: closed */
    AVFrame *picture;        /* that came out last */
    FvDecoderMade made;
    FvDecoderEnd end;
    char cut[256];
    int threads;   /* for decoding, as the caller wants; 1 once the stream needs that */
    bool no_grain; /* it adds no film grain */
} FvDecoder;

/* Opens libavcodec's decoder of the stream with so many threads at most. To be closed also after a failure. */
FvStatus fv_decoder_open(FvDecoder *decoder, const FvDemux *demux, const AVCodec *codec, int threads, FvError *error);

void fv_decoder_close(FvDecoder *decoder);

/* None of the packets that it was given counts any more, and no picture of them will come. */
void fv_decoder_flush(FvDecoder *decoder);

/* Whether streams of the codec may ask their decoder for film grain. */
bool fv_decoder_adds_grain(enum AVCodecID codec);

/*
 * Whether the first packet alone gave the first picture, which is then decoder->picture. The packet is put back, for
 * another decoder: this one gives no further picture.
 */
bool fv_decoder_peek(FvDecoder *decoder, FvDemux *demux);

/* Which packets are not decoded. */
typedef struct FvDecoderFilter {
    bool (*leaves_out)(void *opaque, const AVPacket *packet);
    void *opaque;
} FvDecoderFilter;

/*
 * Puts the next picture into decoder->picture. FV_END: there is none. A picture of which libavcodec conceals a part,
 * or says nothing of it, is an error.
 */
FvStatus fv_decoder_read(FvDecoder *decoder, FvDemux *demux, const FvDecoderFilter *filter, FvError *error);
