/* Unpacks rows of samples from the layout of a file to the layout of a frame. */
#pragma once

#include "fovea/fovea.h"

/* Whether the bytes of a file's little-endian or big-endian words must be swapped on this machine. */
#define FV_SWAP_LITTLE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define FV_SWAP_BIG (!FV_SWAP_LITTLE)

/* The layout of 16-bit words in a row of a file. */
typedef struct FvWords {
    int step;      /* bytes from one word to the next */
    bool swap;     /* the words have the other byte order */
    int shift;     /* number of empty bits below the sample */
    uint16_t mask; /* bits of the sample after the shift */
} FvWords;

/*
 * Unpacks a row of words at `from`, which needs no alignment and may be `row` itself if words.step is 2. Returns the
 * bitwise OR of all words, in this machine's byte order, before shift and mask.
 */
unsigned fv_samples_unpack16(uint16_t *row, const uint8_t *from, FvWords words, int count);

/* Unpacks a row of bytes. */
void fv_samples_unpack8(uint8_t *row, const uint8_t *from, int step, int count);

/*
 * Unpacks a row of red, green, blue or alpha (plane 0 to 3) of pixels that are indices into a palette of 256 colours:
 * 32-bit words with alpha in the high byte and blue in the low byte.
 */
void fv_samples_look_up(uint8_t *row, const uint8_t *from, const uint8_t *palette, int plane, int count);
