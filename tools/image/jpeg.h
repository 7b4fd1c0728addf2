/* Pictures as JPEG files, for pages: equal samples make equal bytes on every machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Encodes 8-bit RGB, three bytes a pixel in rows without gaps, with chroma of half the size. `quality` is [1, 100].
 * NULL: out of memory; the caller frees the file.
 */
void *jpeg_encode(const uint8_t *rgb, int width, int height, int quality, size_t *bytes);
