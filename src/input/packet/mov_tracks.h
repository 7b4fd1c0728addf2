/* Finds tracks of MOV, MP4 and HEIF files that no player shows as the video. */
#pragma once

#include <stdint.h>

#include "input/stream.h"

/*
 * Returns the auxiliary tracks of a file, such as alpha and depth: bit i stands for track i (ISO/IEC 14496-12, 8.3.3
 * and 12.1.1: the handler 'auxv', or a reference of type 'auxl'). 0 for pipes, and if reading fails.
 */
uint64_t fv_mov_auxiliary_tracks(const FvStream *stream);
