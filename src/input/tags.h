/* What a container and a decoder say about pictures besides their samples: rate, colour, fields, shape. */
#ifndef FV_INPUT_TAGS_H
#define FV_INPUT_TAGS_H

#include <libavutil/frame.h>

#include "input/container.h"

#define FV_TAGS_MASTERING 192

/* 0/0 when the container does not tell. */
AVRational fv_tags_rate(const AVStream *stream);

/*
 * Fills rate, colour and the rest of what the stream and its first picture say. `picture` is NULL where fovea
 * decodes: then colour that the codec has told already stays. `mastering` has room for FV_TAGS_MASTERING characters,
 * and info points at it when there is something to say.
 */
void fv_tags_of_stream(FvSourceInfo *info, const FvContainer *container, const AVStream *stream,
                       const AVFrame *picture, char *mastering);

#endif
