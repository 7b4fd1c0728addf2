/* Encodes pictures for pages as JPEG. Equal samples give equal bytes on every machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Encodes 8-bit RGB, 3 bytes per pixel in rows without gaps, with 4:2:0 chroma. `quality`: [1, 100]. Returns the
 * file, which the caller frees; NULL: out of memory.
 */
void *jpeg_encode(const uint8_t *rgb, int width, int height, int quality, size_t *bytes);
