/*
 * Properties of a picture in the High Efficiency Image File Format, such as AVIF, that libavformat does not report
 * (ISO/IEC 23008-12).
 */
#pragma once

#include "input/image/orientation.h"
#include "input/stream.h"

typedef struct FvHeif {
    bool alpha;   /* another picture of the file is its alpha */
    bool tiled;   /* it is a grid of pictures */
    bool cropped; /* a part of the picture counts */
    FvOrientation orientation;
} FvHeif;

/* Reads the properties; all zero for other files, for pipes, and if reading fails. */
void fv_heif_read(FvHeif *heif, const FvStream *stream);
