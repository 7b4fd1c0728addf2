/* Makes RGB frames from arrays of pixels in host memory, and describes such arrays for devices. */
#pragma once

#include "fovea/pixels.h"

/* Returns the bytes of a sample. */
int fv_pixels_bytes(const FvPixels *pixels);

static inline bool fv_pixels_are_real(const FvPixels *pixels)
{
    return pixels->type >= FV_SAMPLE_FLOAT16;
}

/* Checks the arguments of fv_frame_from_pixels(). */
FvStatus fv_pixels_check(const FvPixels *pixels, const FvFormat *format, int matrix, FvError *error);

/* The sample for which pixels are refused. */
typedef struct FvBadSample {
    int x, y, component;
    char value[32]; /* its text; "": unknown */
} FvBadSample;

/* Refuses pixels: a real number is outside its range, or an integer exceeds the depth. */
FvStatus fv_pixels_refuse(const FvPixels *pixels, int depth, const FvBadSample *bad, FvError *error);

/* Does fv_frame_from_pixels() in host memory, with arguments that were checked. */
FvStatus fv_pixels_make(FvFrame **frame, const FvFormat *format, const FvPixels *pixels, int matrix, FvError *error);
