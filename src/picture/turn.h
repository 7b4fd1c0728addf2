/* Pictures turned by quarters: each sample stays as it is and gets another place. */
#pragma once

#include "picture/frame.h"

/*
 * The format of a picture turned by 90, 180 or 270 degrees clockwise. FV_ERROR_INPUT, naming `path`, where the turned
 * chroma has no chroma format: of 4:2:2 on its side, and of 4:2:0 with an odd side that runs backwards.
 */
FvStatus fv_turn_format(const FvFormat *from, int degrees, const char *path, FvFormat *to, FvError *error);

/* Replaces *frame, which the host can read, by a turned frame with the same time from a pool of that format. */
FvStatus fv_turn_frame(FvFramePool *pool, int degrees, FvFrame **frame, FvError *error);
