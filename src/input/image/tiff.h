/* Numbers in the first directory of a TIFF file, or of Exif, which has the same form. TIFF 6.0. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first value of a tag whose values are short words; 0: it is not there. The bytes may be any. */
unsigned fv_tiff_short(const uint8_t *bytes, size_t size, unsigned tag);

/* Counts the pictures of a file, without masks and those of reduced size (NewSubfileType); at least 1. */
int fv_tiff_pages(const uint8_t *bytes, size_t size);
