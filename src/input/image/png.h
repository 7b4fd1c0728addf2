/* Reads the colour and the mastering display that a PNG file states in its chunks. docs/colour.md */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The mastering display of a picture, and its light levels. */
typedef struct FvPngMastering {
    bool display, light;    /* (`display`) there is a chunk mDCV; (`light`) there is a chunk cLLI */
    uint16_t place[8];      /* x and y of red, green, blue and white, in 0.00002 */
    uint32_t most, least;   /* maximum and minimum luminance in 0.0001 cd/m2, the unit of the members below too */
    uint32_t peak, average; /* MaxCLL and MaxFALL */
} FvPngMastering;

typedef struct FvPng {
    int primaries, transfer; /* code points of ITU-T H.273; 0: not stated */
    bool coded;              /* a chunk cICP states the colour; it takes precedence over an ICC profile */
    bool limited;            /* the chunk cICP states limited range */
    bool unknown; /* the file states primaries or a gamma that fovea does not know; an ICC profile takes precedence
                     over them */
    FvPngMastering mastering;
} FvPng;

/* Reads the chunks of a file's bytes, with or without its first 8 bytes. All is 0 if no chunk states anything. */
FvPng fv_png_read(const uint8_t *bytes, size_t size);
