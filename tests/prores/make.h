/*
 * Makes ProRes frames and strings from random coefficients, for tests. A frame may be anything that a decoder
 * accepts, valid or not.
 */
#pragma once

#include "codec/prores/prores.h"

typedef struct Maker {
    uint32_t random; /* state of the random numbers; the seed may be any number but 0 */
    uint8_t *bytes;  /* bytes written so far, in memory that grows */
    size_t used, room;
    uint64_t bits; /* bits that are not yet written, in the low end */
    int bit_count;
} Maker;

uint32_t maker_random(Maker *maker);
void maker_free(Maker *maker);

/*
 * Writes a string of 2^log2_blocks blocks, which ends on a byte. coefficients: average number of AC values per block;
 * greatest: limit of their magnitudes, most of which are small.
 */
void maker_string(Maker *maker, int log2_blocks, int coefficients, int greatest);

typedef struct MakerFrame {
    int width, height;
    bool chroma_444, interlaced, bottom_first, matrices;
    int alpha_bits, log2_slice;
    int scale;                  /* quantisation index of every slice; 0: a different one for each */
    int coefficients, greatest; /* arguments of maker_string() */
} MakerFrame;

/* Appends one frame. */
void maker_frame(Maker *maker, const MakerFrame *frame);
