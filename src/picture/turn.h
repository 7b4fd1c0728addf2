/* Rotates pictures by quarter turns. Samples keep their values and change their positions. */
#pragma once

#include "picture/frame.h"

/*
 * Returns the format of a picture rotated by 90, 180 or 270 degrees clockwise. FV_ERROR_INPUT, with `path` in the
 * message: no chroma format fits the rotated chroma, as for 4:2:2 on its side, and for 4:2:0 if an axis of odd length
 * is reversed.
 */
FvStatus fv_turn_format(const FvFormat *from, int degrees, const char *path, FvFormat *to, FvError *error);

/*
 * Replaces *frame, which the host can read, by the rotated frame with the same time, from a pool of the rotated
 * format.
 */
FvStatus fv_turn_frame(FvFramePool *pool, int degrees, FvFrame **frame, FvError *error);
