/*
 * What a picture of the High Efficiency Image File Format, such as AVIF, says beyond the samples that libavformat
 * gives of it (ISO/IEC 23008-12).
 */
#pragma once

#include "input/image/orientation.h"
#include "input/stream.h"

typedef struct FvHeif {
    bool alpha;   /* in another picture of the file */
    bool tiled;   /* made of pictures in a grid */
    bool cropped; /* a part of the picture counts */
    FvOrientation orientation;
} FvHeif;

/* All zero for other files, for pipes, and where reading fails. */
void fv_heif_read(FvHeif *heif, const FvStream *stream);
