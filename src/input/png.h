/* The colour that a PNG file states in its chunks. docs/colour.md */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FvPng {
    int primaries, transfer; /* code points of ITU-T H.273; 0: not stated */
    bool coded;              /* by a chunk cICP, which counts before an ICC profile */
    bool limited;            /* and it says that the range is limited */
    bool unknown;            /* primaries or gamma that fovea does not know; an ICC profile counts instead */
} FvPng;

/* Reads the chunks of any bytes: of a whole file, or without its first 8 bytes. Without any that count, all is 0. */
FvPng fv_png_read(const uint8_t *bytes, size_t size);
