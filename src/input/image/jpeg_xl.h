/* Reads properties in the header of a JPEG XL picture that libavformat does not report. ISO/IEC 18181-1, Annex D. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether the bytes begin with an animated codestream, in a container or not. */
bool fv_jpeg_xl_moves(const uint8_t *bytes, size_t size);
