/* Frames as red, green and blue, to be looked at. */
#pragma once

#include <stdint.h>

#include "fovea/fovea.h"

/* How code values become colours. */
typedef struct RgbRule {
    double red, blue;      /* their shares in luma */
    double low, luma;      /* the code of black, and from there to white */
    double middle, chroma; /* the code of no colour, and from the least to the greatest */
} RgbRule;

void rgb_rule(const FvFormat *format, RgbRule *rule);

/*
 * Rows without gaps of three bytes a pixel; NULL without memory; to be freed. By the frame's tags, or, where they do
 * not tell, limited range, and BT.709 for more than 576 rows and BT.601 for fewer. Chroma is repeated. PQ and HLG are
 * tone-mapped by BT.2390 from 1000 cd/m2 to white at 203; other transfer functions stay what they are. The frame lies
 * in host memory.
 */
uint8_t *rgb_of_frame(const FvFrame *frame);
