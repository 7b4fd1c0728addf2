/* Motion of VMAF: how much the reference changes from frame to frame. */
#pragma once

#include "device/feature.h"

typedef struct FvMotionOptions {
    bool five_frame_window; /* compare frames that are two apart instead of one */
} FvMotionOptions;

#define FV_MOTION_FIVE_FRAME_WINDOW                                                                                  \
    ("motion_five_frame_window", "mffw", 0, "compare frames two apart, for videos of 50 frames/s and more")

/*
 * One term: the sum of the magnitudes of the blurred difference from the previous frame (with five_frame_window, from
 * the frame before the previous one), in units of 1/256 of an 8-bit code value for every depth. It is 0 if the clip
 * has no such frame. Skipped frames have the term too.
 */
extern const FvFeature fv_feature_motion;
extern const struct FvGpuFeature fv_motion_gpu;
