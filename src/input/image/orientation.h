/* How a picture is to be turned where Exif or TIFF says it and libav passes it over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As FvSourceInfo has them. */
typedef struct FvOrientation {
    int rotation;
    bool mirrored;
} FvOrientation;

/* Of a whole file, or of any bytes: those that say nothing leave the picture as it is. */
FvOrientation fv_orientation_of_tiff(const uint8_t *bytes, size_t size);
FvOrientation fv_orientation_of_png(const uint8_t *bytes, size_t size);
FvOrientation fv_orientation_of_webp(const uint8_t *bytes, size_t size);
