/*
 * Makes ProRes frames and strings from random coefficients, for tests: everything that a decoder accepts, valid or
 * not.
 */
#pragma once

#include "codec/prores/prores.h"

typedef struct Maker {
    uint32_t random; /* state; any seed but 0 */
    uint8_t *bytes;  /* what was written so far; room grows */
    size_t used, room;
    uint64_t bits; /* not yet written, in the low end */
    int bit_count;
} Maker;

uint32_t maker_random(Maker *maker);
void maker_free(Maker *maker);

/*
 * A string of 2^log2_blocks blocks: `coefficients` AC values on average in each block, magnitudes up to
 * `greatest` (mostly small). Ends on a byte.
 */
void maker_string(Maker *maker, int log2_blocks, int coefficients, int greatest);

typedef struct MakerFrame {
    int width, height;
    bool chroma_444, interlaced, bottom_first, matrices;
    int alpha_bits, log2_slice;
    int scale;                  /* quantisation index of every slice; 0: another one for each */
    int coefficients, greatest; /* arguments of maker_string() */
} MakerFrame;

/* Appends one frame. */
void maker_frame(Maker *maker, const MakerFrame *frame);
