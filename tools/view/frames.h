/* Pairs of frames for a viewer: those that were asked for lately are kept. Any number of threads. */
#pragma once

#include "fovea/fovea.h"

typedef struct ViewFrames ViewFrames;

/*
 * Of these two files, path NULL: there is no reference; the first pair that is asked for opens them. `bytes` of
 * frames are kept; one pair is, whatever its size. Strings and params outlive the frames.
 */
FvStatus view_frames_open(ViewFrames **frames, const FvSourceParams file[2], const FvScoreParams *params,
                          size_t bytes, FvError *error);

/* A pair, as fv_pairs_read gives it. */
FvStatus view_frames_get(ViewFrames *frames, int64_t number, FvFrame *pair[2], FvError *error);

/* What is drawn of a frame: of RGB the Y'CbCr that goes with it. */
const FvFrame *view_frame_drawn(const FvFrame *frame);

void view_frames_close(ViewFrames **frames);
