/* Checks the structure of a VP9 frame (VP9 bitstream specification, version 0.6) by its headers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns whether the headers of a frame agree with its size: fixed fields, the lengths of the compressed header and
 * of the tiles, and the first bit of each, which is 0. Frames that refer to others have the width of the video. False
 * for profiles 1 and 3 as well.
 */
bool fv_vp9_frame_whole(const uint8_t *data, size_t size, int width);
