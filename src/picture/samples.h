/* Rows of 16-bit samples: from the layout of a file to the layout of a frame. */
#pragma once

#include "fovea/fovea.h"

/* Says whether the bytes of a file's 16-bit words must be swapped on this machine. */
#define FV_SWAP_LITTLE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define FV_SWAP_BIG (!FV_SWAP_LITTLE)

/* The layout of 16-bit words in a row of a file. */
typedef struct FvWords {
    int step;      /* bytes from one to the next */
    bool swap;     /* stored in the other byte order */
    int shift;     /* empty bits below the sample */
    uint16_t mask; /* bits of the sample once it is shifted */
} FvWords;

/*
 * row[x] = sample x at `from`, which needs no alignment and may be `row` itself when step is 2. Returns all words,
 * before shift and mask but in this machine's order, OR-ed together.
 */
unsigned fv_samples_unpack16(uint16_t *row, const uint8_t *from, FvWords words, int count);

/* Unpacks a row of bytes. */
void fv_samples_unpack8(uint8_t *row, const uint8_t *from, int step, int count);

/*
 * A row of red, green, blue or alpha (plane 0 to 3) of pixels that choose among 256 colours, which are words of 32
 * bits: alpha in the high byte, blue in the low one.
 */
void fv_samples_look_up(uint8_t *row, const uint8_t *from, const uint8_t *palette, int plane, int count);
