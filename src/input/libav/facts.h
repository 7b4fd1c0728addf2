/* What a file states of its video besides the tags of the stream: container, and the bytes around its pictures. */
#pragma once

#include "input/image/heif.h"
#include "input/image/png.h"
#include "input/libav/container.h"
#include "input/libav/tags.h"

typedef struct FvFacts {
    FvHeif heif;        /* what the container says of a picture */
    FvOrientation turn; /* of a picture, where libav does not tell */
    FvPng png;          /* what the first packet says, if it is a PNG picture */
    const char *inks;   /* why its samples are refused, or NULL */
    bool encrypted;     /* by Common Encryption, whose packets tell */
    bool animated_webp; /* libavcodec 59 does not decode it */
    int pictures;       /* number of pictures in the file, of which libavcodec decodes the first; 0: unknown */
    bool one_picture;   /* what follows the first one is no frame, as the gain map of a JPEG */
    char mastering[FV_TAGS_MASTERING]; /* source->info points at it */
} FvFacts;

/* Before the container is opened. FV_ERROR_INPUT for a picture of which libavformat gives another one. */
FvStatus fv_facts_take_file(FvFacts *facts, const FvSource *source, FvError *error);

/* Takes what the first packet of the codec states. */
void fv_facts_take_packet(FvFacts *facts, const AVCodecParameters *codec, const AVPacket *packet);

/* Fills in what the container states of the video: ticks, frames, seconds, time code. */
void fv_facts_take_container(const FvFacts *facts, FvSource *source, const AVFormatContext *demuxer,
                             AVStream *stream);

/* Refuses an encrypted video. */
FvStatus fv_facts_refuse_encrypted(const FvSource *source, FvError *error);

/* Refuses the picture for FvFacts.inks. */
FvStatus fv_facts_refuse_inks(const FvFacts *facts, const FvSource *source, FvError *error);

/*
 * The reason why a frame "cannot be <what>", where the facts give a better one than libav's `text`; FV_OK: they do
 * not.
 */
FvStatus fv_facts_explain(const FvFacts *facts, const FvSource *source, const char *text, FvError *error);
