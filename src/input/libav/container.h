/*
 * Files opened through libavformat, which gets the bytes of the one file that was named and reaches nothing else:
 * no other file, no network. docs/input.md, SECURITY.md
 */
#pragma once

#include <libavformat/avformat.h>

#include "input/libav/log.h"
#include "input/source.h"

#define FV_CONTAINER_STREAMS 256

/* In libav's words. */
typedef struct FvHeaderColour {
    enum AVColorRange range;
    enum AVColorTransferCharacteristic transfer;
    enum AVColorPrimaries primaries;
    enum AVColorSpace matrix;
} FvHeaderColour;

typedef struct FvContainer {
    AVFormatContext *demuxer;
    AVIOContext *io; /* over the source's stream; NULL: libavformat opens the path itself */
    FvLibavLog *log;
    FvSource *source;
    AVRational stated[FV_CONTAINER_STREAMS];     /* frame rates that the header has; 0/0 where it has none */
    FvHeaderColour colour[FV_CONTAINER_STREAMS]; /* that the header has, before the streams are examined */
    bool hollow;                                 /* no byte is read: libavformat gets zeros */
    bool aside;                                  /* large packets are not read: their memory stays as it was */
    int reason; /* why the stream could not be read, as an error of libav; 0: it could */
} FvContainer;

/*
 * Opens source->path from its beginning and examines its streams. `format` is one of libavformat's names; NULL: the
 * format of the bytes, if it is on the list of formats that are one file. A format by name that is not on the list
 * may open local files (a playlist), and no others. Streams of the codec `known` are not decoded to learn their
 * format; AV_CODEC_ID_NONE: all are, where it is necessary. To be closed also after a failure.
 */
FvStatus fv_container_open(FvContainer *container, FvSource *source, const char *format, enum AVCodecID known,
                           FvLibavLog *log, FvError *error);

/*
 * The same without examining the streams, for listing the packets of a container whose header lists them all: their
 * bytes are not read, and given as zeros.
 */
FvStatus fv_container_open_list(FvContainer *container, FvSource *source, const char *format, FvLibavLog *log,
                                FvError *error);

void fv_container_close(FvContainer *container);

/* Whether it is MOV or MP4, which list every frame, so that one that a decoder silently drops is missed. */
bool fv_container_is_mov(const AVFormatContext *demuxer);

/*
 * How many pixels a picture may have: all that fovea takes, but far fewer in a small file, where so large a picture
 * can only be meant to use up memory.
 */
int64_t fv_container_pixels(const FvSource *source);

/* "PATH: WHAT: " and the line that libav logged, or its text for the code. */
FvStatus fv_container_fail(const FvContainer *container, const char *what, int code, FvError *error);

/*
 * What a call of libav gave, or FV_LIBAV_MEMORY where an allocation failed since fv_memory_watch(): some demuxers
 * then leave out packets and go on.
 */
int fv_libav_result(int code);

/*
 * The status of an error code of libav. Damaged files make it ask for absurd amounts of memory: FV_ERROR_MEMORY is
 * returned only where a picture of `width` by `height` could not get its memory either.
 */
FvStatus fv_libav_status(int code, int width, int height);
