/* Converts a decoder's pictures to frames. */
#pragma once

#include "input/libav/pixels.h"
#include "input/libav/video.h"

typedef struct FvUnpack {
    FvRgb rgb;      /* the caller's choice for RGB */
    int background; /* colour behind transparent samples, 0xRRGGBB */
    FvFormat tags;  /* the caller's tags, which replace the file's */
    bool wants_alpha;
    FvFramePool *alpha; /* memory for alpha, if the caller wants it and the pictures have it */
    enum AVPixelFormat pixel_format;
    FvLibavPixels pixels; /* layout of the pixel format */
    FvFormat stated;      /* colour that the first picture states; 0 for tags that the caller gave */
    bool limited;         /* a PNG chunk states limited range */
    FvRange range;        /* range of the first picture, by its decoder */
} FvUnpack;

/* Fills the info of the source by its first picture, which is video->decoder.picture, or refuses it. */
FvStatus fv_unpack_describe(FvUnpack *unpack, FvVideo *video, FvError *error);

/*
 * Returns whether the picture is a frame of the video. In a JPEG file, pictures after the first may be its gain map
 * or a preview: the file states it (CIPA DC-007), or their format differs.
 */
bool fv_unpack_is_frame(const FvUnpack *unpack, const FvVideo *video);

/* Checks a picture. FV_ERROR_INPUT: it differs from the first one in format or colour. */
FvStatus fv_unpack_check(const FvUnpack *unpack, const FvSource *source, const AVFrame *picture, FvError *error);

/* Fills a frame of the source's format, and source->alpha if the caller wants alpha. */
FvStatus fv_unpack_copy(const FvUnpack *unpack, FvSource *source, const AVFrame *picture, FvFrame *frame,
                        FvError *error);
