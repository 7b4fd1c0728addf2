/* Pictures as PNG files. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "fovea/fovea.h"

/* Whether this build has libpng. */
bool picture_available(void);

/* Gray, 16 bits, rows without gaps. FV_ERROR_OUTPUT after a message when it cannot be written. */
FvStatus picture_write_gray16(const char *path, const uint16_t *samples, int width, int height);

/* Red, green and blue, 8 bits each, rows without gaps. */
FvStatus picture_write_rgb8(const char *path, const uint8_t *samples, int width, int height);

#endif
