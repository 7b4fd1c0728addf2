/* A slice of a picture. */
#pragma once

#include "codec/prores/prores.h"
#include "cpu/prores_string.h"

typedef struct FvProresSlice {
    int scale;     /* scale of the quantiser */
    int offset[4]; /* offsets of Y, Cb, Cr and alpha from the start of the slice */
    int bytes[4];
} FvProresSlice;

/* Parses the header of a slice of `size` bytes, at least 6. false: the sizes in the header exceed `size`. */
bool fv_prores_parse_slice(FvProresSlice *slice, const uint8_t *data, size_t size);

/* Decodes the alpha of 2^log2_macroblocks macroblocks to 16 rows, each with 16 samples per macroblock. */
void fv_prores_read_alpha(FvProresString *string, int log2_macroblocks, int alpha_bits, int depth, uint16_t *samples);
