/* Frames that are not needed are not decoded, where that changes no other frame. */
#pragma once

#include "input/libav/video.h"

/* Before a frame is read or passed: chooses skips.how. */
void fv_pass_choose(FvVideo *video);

/* Whether frames were dropped that are needed by now. */
bool fv_pass_lacks_frames(const FvVideo *video);

/* The picture of frame source->next, which is needed, into decoder.picture. */
FvStatus fv_pass_decode_needed(FvVideo *video, FvError *error);

/* As FvSourceOps.pass, of a frame that is skipped. */
FvStatus fv_pass_frame(FvVideo *video, FvFrame **frame, FvError *error);
