/* Pictures as files: PNG where the build has libpng, and PFM. They appear whole or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fovea/fovea.h"

typedef enum PictureKind { PICTURE_GRAY8, PICTURE_GRAY16, PICTURE_RGB8, PICTURE_PFM } PictureKind;

/* Whether this build writes PNG. */
bool picture_has_png(void);

/*
 * samples: rows without gaps of 8-bit, 16-bit or, for PFM, float words in host order; RGB has three a pixel. `output`
 * says where. FV_ERROR_USAGE for PNG in a build without libpng.
 */
FvStatus picture_write(const FvOutputParams *output, PictureKind kind, const void *samples, int width, int height,
                       FvError *error);

/* The same as a PNG file in memory, to be freed. */
FvStatus picture_encode(PictureKind kind, const void *samples, int width, int height, void **png, size_t *bytes,
                        FvError *error);
