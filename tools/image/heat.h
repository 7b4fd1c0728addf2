/* Draws a frame in gray, coloured by the values of its maps, with a legend below. */
#pragma once

#include <stdint.h>

#include "fovea/fovea.h"

#define HEAT_LEGEND 32 /* rows of the legend */
#define HEAT_COLOURS 256

typedef struct Heat {
    int width, height; /* size of the frame; the picture has HEAT_LEGEND rows more */
    float *share;      /* for each pixel, the position in the range, [0, 1], of its greatest value in any map */
    uint8_t *rgb;
    uint8_t scale[HEAT_COLOURS][3];
} Heat;

/* Computes the colours of a range, from the lowest value to the highest. */
void heat_scale(uint8_t scale[HEAT_COLOURS][3]);

/* Allocates a picture for frames of this format. FV_ERROR_MEMORY without a message. */
FvStatus heat_open(Heat *heat, const FvFormat *format);
void heat_close(Heat *heat);

/*
 * heat_clear() starts a frame; heat_add() adds one of its maps. Values at or below `low` get no colour, and values
 * from `high` on get the last colour. If `low` is negative, values have a sign, and their magnitude is drawn.
 */
void heat_clear(Heat *heat);
void heat_add(Heat *heat, const FvMap *map, double low, double high);

/*
 * Chooses the range of a map in pictures. Its end is `given`, or if that is NaN the map's maximum, or else the value
 * usually shown. false: there is none of these.
 */
bool heat_range(const FvMap *map, double given, double *low, double *high);

/*
 * Draws heat->rgb from the maps and the luma of the frame, which must be in host memory. The legend shows `low`,
 * `high` and the unit.
 */
void heat_draw(Heat *heat, const FvFrame *frame, double low, double high, const char *unit);
