/*
 * Reads properties of a picture in the High Efficiency Image File Format, such as AVIF, that libavformat does not
 * report (ISO/IEC 23008-12).
 */
#pragma once

#include "input/image/orientation.h"
#include "input/stream.h"

typedef struct FvHeif {
    bool alpha;   /* the file has another picture that is the alpha of the main one */
    bool tiled;   /* the main picture is a grid of pictures */
    bool cropped; /* only a part of the picture is to be shown */
    FvOrientation orientation;
} FvHeif;

/* Reads the properties; all zero for other files, for pipes, and if reading fails. */
void fv_heif_read(FvHeif *heif, const FvStream *stream);
