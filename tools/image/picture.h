/* Writes pictures as files: PNG if the build has libpng, and PFM. A file appears complete or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/fovea.h"

typedef enum PictureKind { PICTURE_GRAY8, PICTURE_GRAY16, PICTURE_RGB8, PICTURE_PFM } PictureKind;

/* Returns whether this build can write PNG. */
bool picture_has_png(void);

/*
 * Writes a picture to `output`. `samples`: rows without gaps of 8-bit, 16-bit or, for PFM, float samples in host byte
 * order; RGB has three per pixel. FV_ERROR_USAGE for PNG in a build without libpng.
 */
FvStatus picture_write(const FvOutputParams *output, PictureKind kind, const void *samples, int width, int height,
                       FvError *error);

/* Encodes a picture as a PNG file in memory, which the caller frees. */
FvStatus picture_encode(PictureKind kind, const void *samples, int width, int height, void **png, size_t *bytes,
                        FvError *error);
