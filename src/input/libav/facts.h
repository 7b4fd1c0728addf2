/*
 * Facts about a video other than the tags of its stream: from the container, and from file headers that libav does
 * not interpret.
 */
#pragma once

#include "input/image/heif.h"
#include "input/image/png.h"
#include "input/libav/container.h"
#include "input/libav/tags.h"

typedef struct FvFacts {
    FvHeif heif;        /* facts about a picture in the container */
    FvOrientation turn; /* orientation of a picture that libav does not report */
    FvPng png;          /* facts in the first packet if it is a PNG picture */
    const char *inks;   /* why its samples are refused, or NULL */
    bool encrypted;     /* the packets state Common Encryption */
    bool animated_webp; /* the file is an animated WebP, which libavcodec 59 cannot decode */
    int pictures;       /* number of pictures in the file, of which libavcodec decodes the first; 0: unknown */
    bool one_picture;   /* pictures after the first are not frames, such as the gain map of a JPEG */
    char mastering[FV_TAGS_MASTERING]; /* text of the mastering display, to which source->info points */
} FvFacts;

/*
 * Reads facts from the file, before the container is opened. FV_ERROR_INPUT: libavformat would deliver another
 * picture than the file's main one.
 */
FvStatus fv_facts_take_file(FvFacts *facts, const FvSource *source, FvError *error);

/* Records what the first packet of the codec states. */
void fv_facts_take_packet(FvFacts *facts, const AVCodecParameters *codec, const AVPacket *packet);

/* Fills in what the container states about the video: ticks, number of frames, seconds, time code. */
void fv_facts_take_container(const FvFacts *facts, FvSource *source, const AVFormatContext *demuxer,
                             AVStream *stream);

/* Refuses an encrypted video. */
FvStatus fv_facts_refuse_encrypted(const FvSource *source, FvError *error);

/* Refuses the picture for FvFacts.inks. */
FvStatus fv_facts_refuse_inks(const FvFacts *facts, const FvSource *source, FvError *error);

/*
 * Fails with a better reason than libav's `text` for a frame that cannot be read. FV_OK: the facts contain no better
 * reason.
 */
FvStatus fv_facts_explain(const FvFacts *facts, const FvSource *source, const char *text, FvError *error);
