/* Reads planar samples without gaps, as in Y4M and raw files, into frames. */
#pragma once

#include "input/source.h"

/*
 * Reads the frame source->next from source->stream. FV_ERROR_INPUT: the end of the stream truncates the frame, or a
 * sample exceeds the depth's maximum. Planes and rows that source->services omits may have any content.
 */
FvStatus fv_planar_read(FvSource *source, FvFrame **frame, FvError *error);
