/* ProRes packets of a video in memory, for a GPU that decodes them. */
#pragma once

#include "fovea/fovea.h"

/* Starts zeroed but for path and depth. */
typedef struct Packets {
    const char *path;
    int depth; /* depth of frames without a container; 0: 10 */
    FvFormat format;
    FvSource *source;
    FvFrame **frames; /* without samples yet */
    int count;
} Packets;

/* Reads until there are `count` of them, the video again and again. Sets the format. */
FvStatus packets_read(Packets *packets, int count, FvError *error);

void packets_free(Packets *packets);
