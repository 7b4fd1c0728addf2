/* Seeking in a video that the CPU decodes. */
#pragma once

#include "input/libav/video.h"

/* As FvSourceOps.seek, between fv_libav_log_enter() and fv_libav_log_leave(). Hardware decoders are closed. */
FvStatus fv_video_seek(FvVideo *video, int64_t frame, FvError *error);
