/* Unpacks samples of binary floating point, of 16 or 32 bits (IEEE 754). */
#pragma once

#include "picture/samples.h"

/*
 * Writes round(65535 v), half up, of each sample v of `bits` bits. Returns `count`, or the column of a v outside 0 to
 * 1. words: their distance, and whether their bytes are swapped.
 */
int fv_floats_unpack(int bits, FvWords words, uint16_t *row, const uint8_t *from, int count);

/* Returns the word at `from`, which needs no alignment, in this machine's byte order. bits: 32, else 16. */
uint32_t fv_float_read_bits(int bits, FvWords words, const uint8_t *from);

/* Returns the number that a word is. */
double fv_float_value(int bits, uint32_t word);
