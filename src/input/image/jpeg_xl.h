/* What the header of a JPEG XL picture says that libavformat does not. ISO/IEC 18181-1, Annex D. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes begin with a codestream, in a container or not, that is animated. */
bool fv_jpeg_xl_moves(const uint8_t *bytes, size_t size);
