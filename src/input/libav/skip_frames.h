/* Skips frames that are not needed without decoding them, if that changes no other frame. */
#pragma once

#include "input/libav/video.h"

/* Chooses skips.how. Call it before a frame is read or skipped. */
void fv_skip_choose(FvVideo *video);

/* Returns whether frames that were dropped are needed after all. */
bool fv_skip_lacks_frames(const FvVideo *video);

/* Decodes the picture of frame source->next, which is needed, into decoder.picture. */
FvStatus fv_skip_decode_needed(FvVideo *video, FvError *error);

/* Skips a frame, as FvSourceOps.skip does. */
FvStatus fv_skip_frame(FvVideo *video, FvFrame **frame, FvError *error);
