/* Converts frames to RGB for display. */
#pragma once

#include <stdint.h>

#include "fovea/fovea.h"

/* The conversion of code values to colours. */
typedef struct RgbRule {
    double red, blue;      /* weights of red and blue in luma */
    double low, luma;      /* the code of black, and the number of codes from black to white */
    double middle, chroma; /* the code of neutral chroma, and the number of codes from the minimum to the maximum */
} RgbRule;

void rgb_rule(const FvFormat *format, RgbRule *rule);

/*
 * Converts a frame in host memory to rows without gaps of 3 bytes per pixel, which the caller frees; NULL: out of
 * memory. The frame's tags decide. If they are missing, the range is limited, and the matrix is BT.709 for more than
 * 576 rows, else BT.601. Chroma is upsampled by repetition. PQ and HLG are tone-mapped by BT.2390 from 1000 cd/m2 to
 * white at 203 cd/m2; other transfer functions are kept.
 */
uint8_t *rgb_of_frame(const FvFrame *frame);
