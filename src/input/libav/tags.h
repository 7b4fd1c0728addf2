/* Reads the tags that a container and a decoder state: rate, colour, fields, aspect ratio. */
#pragma once

#include <libavutil/frame.h>

#include "input/image/png.h"
#include "input/libav/container.h"

#define FV_TAGS_MASTERING 192 /* maximum bytes of the text about the mastering display */

/* Returns the frame rate; 0/0: the container does not state it. */
AVRational fv_tags_rate(const AVStream *stream);

/*
 * Fills in rate, colour and the other statements of the stream and its first picture. `picture` is NULL if fovea
 * decodes itself; colour that the codec has stated is then kept. `png`: chunks of a PNG file, else NULL. `mastering`
 * has room for FV_TAGS_MASTERING characters, and info points at it if the video states its mastering display.
 */
void fv_tags_of_stream(FvSourceInfo *info, const FvContainer *container, const AVStream *stream,
                       const AVFrame *picture, const FvPng *png, char *mastering);

/*
 * Records the colour of the picture's ICC profile or of its PNG chunks, unless the caller has `given` transfer and
 * primaries. FV_ERROR_INPUT: fovea does not know that colour.
 */
FvStatus fv_tags_of_picture(FvSourceInfo *info, const FvContainer *container, const AVStream *stream,
                            const AVFrame *picture, const FvPng *png, const FvFormat *given, FvError *error);

/* Returns whether a decoder reports that the picture has two fields. */
bool fv_tags_interlaced(const AVFrame *picture);

/* Returns whether the container is an image file or a sequence of images, which states no rate. */
bool fv_tags_are_images(const AVFormatContext *demuxer);

/* Makes a format of the colour that a decoder states about a picture: code points, 0: not stated. */
FvFormat fv_tags_colour(int primaries, int transfer, int matrix);

/* Returns whether two pictures of a video state different colours, and in which tag. */
bool fv_tags_change(const FvFormat *first, const FvFormat *now, FvColourTag *tag);
