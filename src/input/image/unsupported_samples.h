/* Finds pictures whose samples are inks or floats, which decoders convert to RGB by rules of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Describe samples that are refused, in words that follow the file's name. NULL: the samples are usual. The bytes may
 * be anything.
 */
const char *fv_inks_of_jpeg(const uint8_t *bytes, size_t size);
const char *fv_inks_of_tiff(const uint8_t *bytes, size_t size);

/* Returns whether a JPEG states that other pictures follow it in the file (CIPA DC-007, Multi-Picture Format). */
bool fv_jpeg_has_others(const uint8_t *bytes, size_t size);
