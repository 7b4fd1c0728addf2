/* The picture of a frame in gray, coloured where its maps have values, with a legend below. */
#pragma once

#include <stdint.h>

#include "fovea/fovea.h"

#define HEAT_LEGEND 32 /* rows */
#define HEAT_COLOURS 256

typedef struct Heat {
    int width, height; /* size of the frame; the picture has HEAT_LEGEND rows more */
    float *share;      /* for each pixel, the position of its greatest value in the range, [0, 1] */
    uint8_t *rgb;
    uint8_t scale[HEAT_COLOURS][3];
} Heat;

/* The colours of a range, from the first to the last. */
void heat_scale(uint8_t scale[HEAT_COLOURS][3]);

/* FV_ERROR_MEMORY without a message. */
FvStatus heat_open(Heat *heat, const FvFormat *format);
void heat_close(Heat *heat);

/*
 * Starts a frame, then adds each of its maps. low and high: values of no colour and of the last one. Where values
 * have a sign, low is negative, and their size counts.
 */
void heat_clear(Heat *heat);
void heat_add(Heat *heat, const FvMap *map, double low, double high);

/*
 * The range of a map in pictures: `given`, which may be NaN, or its own maximum, or what is usually shown. False when
 * there is none.
 */
bool heat_range(const FvMap *map, double given, double *low, double *high);

/* Draws heat->rgb from the luma of the frame, which lies in host memory, and the maps; the legend has low, high and
 * the unit. */
void heat_draw(Heat *heat, const FvFrame *frame, double low, double high, const char *unit);
