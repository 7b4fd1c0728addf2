/* The index of a container's video, from its packets. docs/input.md */
#pragma once

#include "input/container.h"

/*
 * Fills `index` for stream number `stream` of the container that the source has open, with at least the first
 * `frames` frames. The file is opened a second time. A container that lists its packets is asked for the list; of
 * others the packets are read. Where packets do not tell when each picture is shown, the only entry is the beginning.
 */
FvStatus fv_packets_index(FvIndex *index, const FvSource *source, const char *format, const AVFormatContext *opened,
                          int stream, int64_t frames, FvError *error);
