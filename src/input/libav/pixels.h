/* Describes libav's pixel formats: which of them hold the samples of an FvFrame, and how to rearrange these. */
#pragma once

#include <libavutil/pixfmt.h>

#include "fovea/fovea.h"
#include "picture/samples.h"

typedef struct FvLibavPixels {
    FvChroma chroma;
    int depth;
    bool full; /* the pixel format implies full range */
    bool rgb;  /* the components are R, G and B */
    struct {
        int plane, offset; /* plane, and bytes from its start to the first sample */
        FvWords words;
        uint16_t empty; /* bits that must be 0 in every word of the row */
    } component[4];     /* Y, Cb, Cr (or R, G, B), alpha */
    bool palette;       /* bytes are indices into a palette of R, G, B and alpha: fv_samples_look_up() */
    bool alpha;         /* the format has alpha, of the same depth as the other components */
    bool uneven;        /* packed 4:1:1, in bytes: Cb Y Y Cr Y Y */
    int floats; /* bits of samples that are floating-point numbers, which are unpacked to 16 bits; 0: integers */
} FvLibavPixels;

/*
 * Describes the format. Returns NULL if every sample can be read as it is stored; else the reason, as the end of a
 * sentence that begins with the format's name.
 */
const char *fv_pixels_describe(FvLibavPixels *pixels, enum AVPixelFormat format);

#define FV_PIXELS_ALPHA 3 /* number of the component alpha */

/*
 * Unpacks one row of a plane, which may be FV_PIXELS_ALPHA. Returns `count`, or the column of a sample that is
 * outside 0 to 1, or of a word with bits that the format does not use.
 */
int fv_pixels_unpack(const FvLibavPixels *pixels, int plane, void *row, const uint8_t *from, int count);

/* Returns the stored word of a sample in a row. */
uint32_t fv_pixels_word(const FvLibavPixels *pixels, int plane, const uint8_t *from, int x);
