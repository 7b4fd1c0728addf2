/* Skips frames that are not needed without decoding them, if that changes no other frame. */
#pragma once

#include "input/libav/video.h"

/* Chooses skips.how. Call it before a frame is read or skipped. */
void fv_pass_choose(FvVideo *video);

/* Returns whether dropped frames are now needed. */
bool fv_pass_lacks_frames(const FvVideo *video);

/* Decodes the picture of frame source->next, which is needed, into decoder.picture. */
FvStatus fv_pass_decode_needed(FvVideo *video, FvError *error);

/* Skips a frame, as FvSourceOps.pass does. */
FvStatus fv_pass_frame(FvVideo *video, FvFrame **frame, FvError *error);
