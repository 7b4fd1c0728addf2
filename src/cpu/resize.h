/* Resizing of a plane of samples, or of differences of two planes, row by row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FvResizeMethod {
    FV_RESIZE_NEAREST,
    FV_RESIZE_BILINEAR,
    FV_RESIZE_BICUBIC,
    FV_RESIZE_LANCZOS4
} FvResizeMethod;

/* (plus - minus) * scale, sample by sample. */
typedef struct FvDifference {
    const uint8_t *plus, *minus; /* rows of samples; minus NULL: `level` is subtracted */
    ptrdiff_t plus_stride, minus_stride;
    int bytes; /* of a sample */
    int level;
    float scale;
} FvDifference;

/* One side of the picture: the taps of every output index. */
typedef struct FvResizeAxis {
    int *index;
    float *weight;
} FvResizeAxis;

typedef struct FvResize {
    int taps, width, height; /* of the output */
    bool divide;             /* by the sum of weights */
    FvResizeAxis across, down;
} FvResize;

/* False when memory runs out. Close it in either case. */
bool fv_resize_open(FvResize *resize, FvResizeMethod method, int from_width, int from_height, int width, int height);
void fv_resize_close(FvResize *resize);

void fv_resize_row(const FvResize *resize, const FvDifference *from, int y, float *row);

/* The same without resizing. */
void fv_difference_row(const FvDifference *from, int width, int y, float *row);
