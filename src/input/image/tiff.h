/* Reads numbers in the first directory of a TIFF file (TIFF 6.0), or of Exif data, which have the same format. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the first value of a tag whose values are 16-bit words; 0: the tag is missing. The bytes may be anything.
 */
unsigned fv_tiff_short(const uint8_t *bytes, size_t size, unsigned tag);

/* Counts the pictures of a file, without masks and pictures of reduced size (NewSubfileType); at least 1. */
int fv_tiff_pages(const uint8_t *bytes, size_t size);
