/*
 * Opens files through libavformat, which gets the bytes of the one file that the caller names, and has access to no
 * other file and no network. docs/input.md, SECURITY.md
 */
#pragma once

#include <libavformat/avformat.h>

#include "input/libav/log.h"
#include "input/source.h"

#define FV_CONTAINER_STREAMS 256 /* maximum number of streams whose header facts are kept */

/* The colour that a header states, in libav's enumerators. */
typedef struct FvHeaderColour {
    enum AVColorRange range;
    enum AVColorTransferCharacteristic transfer;
    enum AVColorPrimaries primaries;
    enum AVColorSpace matrix;
} FvHeaderColour;

typedef struct FvContainer {
    AVFormatContext *demuxer;
    AVIOContext *io; /* reads the source's stream; NULL: libavformat opens the path itself */
    FvLibavLog *log;
    FvSource *source;
    AVRational stated[FV_CONTAINER_STREAMS];     /* frame rate of each stream that the header states; 0/0: none */
    FvHeaderColour colour[FV_CONTAINER_STREAMS]; /* colours in the header, before the streams are examined */
    bool hollow;                                 /* the file is not read: libavformat gets zeros instead */
    bool aside;                                  /* large packets are not read, and their memory is not written */
    int reason; /* error of libav that explains why reading the stream failed; 0: it did not */
} FvContainer;

/*
 * Opens source->path from its beginning and examines its streams. `format` is one of libavformat's names; NULL: the
 * format of the bytes, if it is on the list of formats whose demuxers read one file only. A format by name that is
 * not on the list may open local files (a playlist), and no others. Streams of the codec `known` are not decoded to
 * learn their format; AV_CODEC_ID_NONE: all are, if necessary. The caller closes the container, also after a failure.
 */
FvStatus fv_container_open(FvContainer *container, FvSource *source, const char *format, enum AVCodecID known,
                           FvLibavLog *log, FvError *error);

/*
 * Opens a container whose header lists all packets, to list them, without examining the streams. The bytes of packets
 * are not read; libavformat gets zeros instead.
 */
FvStatus fv_container_open_list(FvContainer *container, FvSource *source, const char *format, FvLibavLog *log,
                                FvError *error);

void fv_container_close(FvContainer *container);

/*
 * Returns whether the container is MOV or MP4. These list every frame, so that a frame that a decoder silently drops
 * is noticed.
 */
bool fv_container_is_mov(const AVFormatContext *demuxer);

/*
 * Returns the maximum number of pixels of a picture: fovea's own limit, but far fewer for a small file, in which a
 * large picture can only serve to exhaust memory.
 */
int64_t fv_container_pixels(const FvSource *source);

/* Fails with "PATH: WHAT: " and the line that libav logged, or else libav's text for the code. */
FvStatus fv_container_fail(const FvContainer *container, const char *what, int code, FvError *error);

/*
 * Returns the result of a call of libav, or FV_LIBAV_MEMORY if an allocation failed since fv_memory_watch(): some
 * demuxers then omit packets and continue.
 */
int fv_libav_result(int code);

/*
 * Returns the status for an error code of libav. Damaged files make it request absurd amounts of memory, so
 * FV_ERROR_MEMORY is returned only if a picture of `width` by `height` cannot get its memory either.
 */
FvStatus fv_libav_status(int code, int width, int height);

/* Returns the kind of failure: FV_FAIL_DAMAGED for an input that libav calls invalid, else `status`. */
int fv_libav_failure(FvStatus status, int code);
