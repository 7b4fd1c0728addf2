/* Reads ProRes in a container through libavformat, and decodes it with fovea's own decoder. */
#pragma once

#include "input/libav/video.h"
#include "input/prores/prores.h"

/* Reads the first packet and describes the video. The caller closes *prores, also after a failure. */
FvStatus fv_libav_open_prores(FvVideo *video, FvProresInput **prores, const FvSourceParams *params, FvError *error);

FvStatus fv_libav_read_prores(FvVideo *video, FvProresInput *prores, FvFrame **frame, FvError *error);
FvStatus fv_libav_pass_prores(FvVideo *video, FvFrame **frame, FvError *error);
