/* Decodes alpha, which is coded as differences and repeats, without a transform. */
#include "arith/scalar.h"

#include "arith/prores.h"
#include "codec/prores/slice.h"

/* Reads a number of up to 16 bits. */
static int take_bits(FvProresString *string, int bits)
{
    int value = (int)(fv_prores_peek(string) >> (32 - bits));
    fv_prores_skip(string, bits);
    return value;
}

void fv_prores_read_alpha(FvProresString *string, int log2_macroblocks, int alpha_bits, int depth, uint16_t *samples)
{
    int count = 256 << log2_macroblocks, mask = (1 << alpha_bits) - 1, alpha = mask;
    int short_bits = alpha_bits == 16 ? 7 : 4;
    for (int i = 0; i < count;) {
        do {
            bool plain = take_bits(string, 1);
            alpha += plain ? take_bits(string, alpha_bits) : fv_prores_alpha_step(take_bits(string, short_bits));
            alpha &= mask;
            samples[i++] = (uint16_t)fv_prores_alpha(alpha, alpha_bits, depth);
        } while (i < count && string->at < string->bits && take_bits(string, 1));
        if (i == count)
            break;
        int repeat = take_bits(string, 4);
        if (!repeat)
            repeat = take_bits(string, 11);
        for (; repeat && i < count; repeat--)
            samples[i++] = (uint16_t)fv_prores_alpha(alpha, alpha_bits, depth);
    }
}
