/* Reads the orientation of a picture that Exif or TIFF states and libav ignores. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rotation and a mirror, as in FvSourceInfo. */
typedef struct FvOrientation {
    int rotation;
    bool mirrored;
} FvOrientation;

/*
 * Read the orientation from the bytes of a file. If the bytes state none, the result is zeroed: the picture as
 * stored.
 */
FvOrientation fv_orientation_of_tiff(const uint8_t *bytes, size_t size);
FvOrientation fv_orientation_of_png(const uint8_t *bytes, size_t size);
FvOrientation fv_orientation_of_webp(const uint8_t *bytes, size_t size);
