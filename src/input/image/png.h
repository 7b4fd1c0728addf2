/* The colour and the mastering display that a PNG file states in its chunks. docs/colour.md */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the display on which a picture was made, and of its light. */
typedef struct FvPngMastering {
    bool display, light;    /* a chunk mDCV; a chunk cLLI */
    uint16_t place[8];      /* x and y of red, green, blue and white, in 0.00002 */
    uint32_t most, least;   /* in 0.0001 cd/m2, as are the following */
    uint32_t peak, average; /* MaxCLL and MaxFALL */
} FvPngMastering;

typedef struct FvPng {
    int primaries, transfer; /* code points of ITU-T H.273; 0: not stated */
    bool coded;              /* by a chunk cICP, which counts before an ICC profile */
    bool limited;            /* and it says that the range is limited */
    bool unknown;            /* primaries or gamma that fovea does not know; an ICC profile counts instead */
    FvPngMastering mastering;
} FvPng;

/* Reads the chunks of any bytes: of a whole file, or without its first 8 bytes. Without any that count, all is 0. */
FvPng fv_png_read(const uint8_t *bytes, size_t size);
