/* What the pictures of a decoder are, and their samples as frames. */
#pragma once

#include "input/libav/pixels.h"
#include "input/libav/video.h"

typedef struct FvUnpack {
    FvRgb rgb;      /* what the caller wants of RGB */
    int background; /* under alpha */
    FvFormat tags;  /* of the caller, which replace the file's */
    bool wants_alpha;
    FvFramePool *alpha; /* memory for it, where the pictures have it */
    enum AVPixelFormat pixel_format;
    FvPixels pixels; /* of the pixel format */
    FvFormat stated; /* colour by the first picture, as far as the caller states none */
    bool limited;    /* a PNG chunk says that the range is limited */
    FvRange range;   /* of the first picture, by its decoder */
} FvUnpack;

/* Fills the info of the source by its first picture, which is video->decoder.picture, or refuses it. */
FvStatus fv_unpack_describe(FvUnpack *unpack, FvVideo *video, FvError *error);

/*
 * Whether the picture is a frame of the video: in a JPEG file, pictures behind the first one may be its gain map or a
 * preview, as they are where the file says so (CIPA DC-007) and where their format is another one.
 */
bool fv_unpack_is_frame(const FvUnpack *unpack, const FvVideo *video);

/* FV_ERROR_INPUT for a picture that differs from the first one in format or colour. */
FvStatus fv_unpack_check(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvError *error);

/* Fills a frame of the source's format, and source->alpha where it is wanted. */
FvStatus fv_unpack_copy(const FvUnpack *unpack, FvSource *source, const AVFrame *picture, FvFrame *frame,
                        FvError *error);
