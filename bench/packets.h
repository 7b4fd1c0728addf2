/* Reads ProRes packets of a video into memory, for a GPU that decodes them. */
#pragma once

#include "fovea/fovea.h"

/* The packets of a video. The caller sets path and depth; the rest begins zeroed. */
typedef struct Packets {
    const char *path;
    int depth; /* depth of frames without a container; 0: 10 */
    FvFormat format;
    FvSource *source;
    FvFrame **frames; /* frames whose samples are still in their packets */
    int count;
} Packets;

/* Reads `count` packets, starting again at the end of the video. Sets the format. */
FvStatus packets_read(Packets *packets, int count, FvError *error);

void packets_free(Packets *packets);
