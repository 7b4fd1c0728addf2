/* Pictures whose samples are inks or floats, of which decoders make RGB by rules of their own. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Of a JPEG or TIFF file, any bytes: what its samples are, in words that follow the file's name; NULL: nothing
 * special. */
const char *fv_inks_of_jpeg(const uint8_t *bytes, size_t size);
const char *fv_inks_of_tiff(const uint8_t *bytes, size_t size);
