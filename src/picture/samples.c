#include "picture/samples.h"

#include <string.h>

/* A word that may be at any address. */
typedef uint16_t __attribute__((aligned(1), may_alias)) Word;

/* Unpacks a row. Inlined with constants for the common steps, so that the compiler vectorises each. */
static inline __attribute__((always_inline)) unsigned unpack16(uint16_t *row, const uint8_t *from, int step,
                                                               bool swap, int shift, uint16_t mask, int count)
{
    uint16_t all = 0;
    for (int x = 0; x < count; x++) {
        uint16_t word = *(const Word *)(from + (ptrdiff_t)x * step);
        if (swap)
            word = (uint16_t)(word << 8 | word >> 8);
        all |= word;
        row[x] = (uint16_t)(word >> shift) & mask;
    }
    return all;
}

unsigned fv_samples_unpack16(uint16_t *row, const uint8_t *from, FvWords words, int count)
{
    if (words.step == 2 && !words.swap)
        return unpack16(row, from, 2, false, words.shift, words.mask, count);
    if (words.step == 2)
        return unpack16(row, from, 2, true, words.shift, words.mask, count);
    if (words.step == 4 && !words.swap)
        return unpack16(row, from, 4, false, words.shift, words.mask, count);
    return unpack16(row, from, words.step, words.swap, words.shift, words.mask, count);
}

void fv_samples_unpack8(uint8_t *row, const uint8_t *from, int step, int count)
{
    if (step == 1)
        memcpy(row, from, (size_t)count);
    else if (step == 2)
        for (int x = 0; x < count; x++)
            row[x] = from[2 * (ptrdiff_t)x];
    else
        for (int x = 0; x < count; x++)
            row[x] = from[(ptrdiff_t)x * step];
}

void fv_samples_look_up(uint8_t *row, const uint8_t *from, const uint8_t *palette, int plane, int count)
{
    static const int shifts[] = {16, 8, 0, 24};
    for (int x = 0; x < count; x++) {
        uint32_t colour;
        memcpy(&colour, palette + 4 * (size_t)from[x], sizeof colour);
        row[x] = (uint8_t)(colour >> shifts[plane]);
    }
}
