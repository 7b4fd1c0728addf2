/* The picture of a frame in gray, tinted red where its maps have values, with a legend below. */
#ifndef HEAT_H
#define HEAT_H

#include <stdint.h>

#include "fovea/fovea.h"

#define HEAT_LEGEND 32 /* rows */

typedef struct Heat {
    int width, height; /* of the frame; the picture has HEAT_LEGEND rows more */
    float *share;      /* of each pixel: where the greatest of its values lies in its range, [0, 1] */
    uint8_t *rgb;
} Heat;

/* FV_ERROR_MEMORY without a message. */
FvStatus heat_open(Heat *heat, const FvFormat *format);
void heat_close(Heat *heat);

/* Starts a frame, then adds each of its maps. low and high: values of no tint and of full red. */
void heat_clear(Heat *heat);
void heat_add(Heat *heat, const FvMap *map, double low, double high);

/* Draws heat->rgb from the luma of the frame, which lies in host memory, and the maps; the legend shows low and high.
 */
void heat_draw(Heat *heat, const FvFrame *frame, double low, double high);

#endif
