/* Seeks in a video that the CPU decodes. */
#pragma once

#include "input/libav/video.h"

/* Seeks, as FvSourceOps.seek, between fv_libav_log_enter() and fv_libav_log_leave(). Closes hardware decoders. */
FvStatus fv_video_seek(FvVideo *video, int64_t frame, FvError *error);
