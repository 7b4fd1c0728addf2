/* Makes frames in the kinds of memory from which a GPU reads them. */
#pragma once

#include "fovea/fovea.h"

/*
 * Where frames are before a GPU reads them: in GPU memory, page-locked host memory, other host memory, or ProRes
 * packets.
 */
typedef enum Origin { RESIDENT, PINNED, PAGEABLE, PACKETS, ORIGINS } Origin;

/*
 * Makes a frame with the samples of `from` in memory of kind `origin`, except PACKETS, for the session's first GPU.
 */
FvStatus bench_frame(FvSession *session, FvFrame **frame, const FvFrame *from, Origin origin, FvError *error);
