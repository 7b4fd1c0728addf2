/* Seeks in a video that the CPU decodes. */
#pragma once

#include "input/libav/video.h"

/* Seeks, as FvSourceOps.seek, between fv_libav_log_enter() and fv_libav_log_leave(). Closes hardware decoders. */
FvStatus fv_video_seek(FvVideo *video, int64_t frame, FvError *error);

/*
 * Makes the packet at which decoding of `frame` must begin the next one, without decoding, between
 * fv_libav_log_enter() and fv_libav_log_leave(). Frames that are shown before video->entered_pts may be damaged.
 */
FvStatus fv_video_enter(FvVideo *video, int64_t frame, FvError *error);
