/*
 * Makes ProRes frames and strings from random coefficients, for tests of decoders and for self-tests of a user's GPU.
 * A frame need not conform to the standard, as long as decoders accept it.
 */
#pragma once

#include "codec/prores/prores.h"

typedef struct FvProresMaker {
    uint32_t random; /* state of the random numbers; the seed may be any number but 0 */
    uint8_t *bytes;  /* bytes written so far, in memory that grows */
    size_t used, room;
    uint64_t bits; /* bits that are not yet written, in the low end */
    int bit_count;
    bool failed; /* memory ran out, so `bytes` is incomplete */
} FvProresMaker;

uint32_t fv_prores_maker_random(FvProresMaker *maker);
void fv_prores_maker_free(FvProresMaker *maker);

/*
 * Writes a string of 2^log2_blocks blocks, which ends at a byte boundary. coefficients: average number of AC values
 * per block; greatest: maximum of their magnitudes, most of which are small.
 */
void fv_prores_maker_string(FvProresMaker *maker, int log2_blocks, int coefficients, int greatest);

typedef struct FvProresShape {
    int width, height;
    bool chroma_444, interlaced, bottom_first, matrices;
    int alpha_bits, log2_slice;
    int scale;                  /* quantisation index of every slice; 0: a different one for each */
    int coefficients, greatest; /* arguments of fv_prores_maker_string() */
} FvProresShape;

/* Appends one frame. */
void fv_prores_maker_frame(FvProresMaker *maker, const FvProresShape *frame);
