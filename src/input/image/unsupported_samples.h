/* Pictures whose samples are inks or floats, of which decoders make RGB by rules of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a JPEG or TIFF file, any bytes: what its samples are, in words that follow the file's name; NULL: nothing
 * special. */
const char *fv_inks_of_jpeg(const uint8_t *bytes, size_t size);
const char *fv_inks_of_tiff(const uint8_t *bytes, size_t size);

/* Whether a JPEG says that other pictures follow it in the file (CIPA DC-007, Multi-Picture Format). */
bool fv_jpeg_has_others(const uint8_t *bytes, size_t size);
