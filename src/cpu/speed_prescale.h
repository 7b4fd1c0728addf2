/* Resizing for SpEED's option speed_prescale: resizes a plane, or the difference of two planes, row by row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FvSpeedPrescaleMethod {
    FV_SPEED_PRESCALE_NEAREST,
    FV_SPEED_PRESCALE_BILINEAR,
    FV_SPEED_PRESCALE_BICUBIC,
    FV_SPEED_PRESCALE_LANCZOS4
} FvSpeedPrescaleMethod;

/* The input (plus - minus) * scale, sample by sample. */
typedef struct FvDifference {
    const uint8_t *plus, *minus; /* rows of samples; minus NULL: `level` is subtracted instead */
    ptrdiff_t plus_stride, minus_stride;
    int bytes; /* bytes per sample */
    int level;
    float scale;
} FvDifference;

/* The taps of every output index in one direction. */
typedef struct FvSpeedPrescaleAxis {
    int *index;
    float *weight;
} FvSpeedPrescaleAxis;

typedef struct FvSpeedPrescale {
    int taps, width, height; /* number of taps per output in each direction, and size of the output */
    bool divide;             /* divide by the sum of the weights */
    FvSpeedPrescaleAxis across, down;
} FvSpeedPrescale;

/* Returns false if memory runs out. Close *resize in either case. */
bool fv_speed_prescale_open(FvSpeedPrescale *resize, FvSpeedPrescaleMethod method, int from_width, int from_height,
                            int width, int height);
void fv_speed_prescale_close(FvSpeedPrescale *resize);

void fv_speed_prescale_row(const FvSpeedPrescale *resize, const FvDifference *from, int y, float *row);

/* Writes row y of the difference without resizing. */
void fv_difference_row(const FvDifference *from, int width, int y, float *row);
