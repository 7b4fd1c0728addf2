/* Tracks of MOV, MP4 and HEIF files that no player shows as the video. */
#pragma once

#include <stdint.h>

#include "input/stream.h"

/*
 * Bit i: track i of the file is auxiliary to another one, as alpha and depth are (ISO/IEC 14496-12, 8.3.3 and 12.1.1:
 * the handler 'auxv', or a reference of type 'auxl'). 0 for pipes, and where reading fails.
 */
uint64_t fv_mov_auxiliary_tracks(const FvStream *stream);
