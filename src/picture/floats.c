#include "picture/floats.h"

#include <math.h>
#include <string.h>

/* Bits of the fraction, and the exponent's bias. */
typedef struct Binary {
    int fraction, bias;
} Binary;

static Binary binary_of(int bits)
{
    return bits == 32 ? (Binary){23, 127} : (Binary){10, 15};
}

/* Splits a word without its sign into an integer and the number of halvings that make its number. */
static uint32_t split(Binary binary, uint32_t word, int *halvings)
{
    const uint32_t one = UINT32_C(1) << binary.fraction;
    const int exponent = (int)(word >> binary.fraction);
    *halvings = binary.bias + binary.fraction - (exponent ? exponent : 1);
    return (word & (one - 1)) | (exponent ? one : 0);
}

double fv_float_value(int bits, uint32_t word)
{
    const uint32_t sign = UINT32_C(1) << (bits - 1);
    const Binary binary = binary_of(bits);
    int halvings;
    const uint32_t integer = split(binary, word & ~sign, &halvings);
    const bool finite = (word & ~sign) >> binary.fraction <= 2 * (uint32_t)binary.bias;
    const double number = finite                                      ? ldexp(integer, -halvings)
                          : integer == UINT32_C(1) << binary.fraction ? INFINITY
                                                                      : NAN;
    return word & sign ? -number : number;
}

uint32_t fv_float_read_bits(int bits, FvWords words, const uint8_t *from)
{
    uint16_t half;
    uint32_t whole;
    if (bits == 32) {
        memcpy(&whole, from, sizeof whole);
        return words.swap ? __builtin_bswap32(whole) : whole;
    }
    memcpy(&half, from, sizeof half);
    return words.swap ? __builtin_bswap16(half) : half;
}

int fv_floats_unpack(int bits, FvWords words, uint16_t *row, const uint8_t *from, int count)
{
    const Binary binary = binary_of(bits);
    const uint32_t one = (uint32_t)binary.bias << binary.fraction, minus_zero = UINT32_C(1) << (bits - 1);
    for (int x = 0; x < count; x++, from += words.step) {
        const uint32_t word = fv_float_read_bits(bits, words, from);
        int halvings;
        const uint64_t integer = split(binary, word, &halvings);
        if (word > one && word != minus_zero)
            return x;
        const bool tiny = word == minus_zero || halvings > 60; /* below 2^-36 */
        row[x] = (uint16_t)(tiny ? 0 : (2 * 65535 * integer + (UINT64_C(1) << halvings)) >> (halvings + 1));
    }
    return count;
}
