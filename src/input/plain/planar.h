/* Planar samples without gaps, as Y4M and raw files have them, into frames. */
#pragma once

#include "input/source.h"

/*
 * The frame source->next from source->stream. Frames that the end of the stream cuts short, and samples above the
 * depth's maximum, are FV_ERROR_INPUT. Planes and rows that source->lent leaves out may have any content.
 */
FvStatus fv_planar_read(FvSource *source, FvFrame **frame, FvError *error);
