/*
 * Entropy decoding, one codeword at a time. It is the reference, and the fast decoders use it for the last bits of
 * each string, where the end must be tested.
 */
#include "arith/scalar.h"

#include "arith/prores.h"
#include "base/bytes.h"
#include "cpu/prores_string.h"

uint32_t fv_prores_peek(const FvProresString *string)
{
    const uint8_t *from = string->data + (string->at >> 3);
    uint64_t bits = 0;
    if (string->end - from >= 8)
        bits = (uint64_t)fv_be32(from) << 8 | from[4];
    else
        for (int i = 0; i < 5; i++)
            bits = bits << 8 | (from + i < string->end ? from[i] : 0);
    return (uint32_t)(bits >> (8 - (string->at & 7)));
}

void fv_prores_skip(FvProresString *string, int bits)
{
    string->at += bits;
    if (string->at > string->bits + 8)
        string->at = string->bits + 8;
}

/*
 * Reads the next value of a codebook; *length receives its number of bits. Returns -1 and marks the string as damaged
 * if the codeword is too long.
 */
static int read_code(FvProresString *string, int book, int *length)
{
    uint32_t bits = fv_prores_peek(string);
    int zeros = bits ? __builtin_clz(bits) : 31;
    *length = fv_prores_code_length(book, zeros);
    if (*length > FV_PRORES_LONGEST) {
        string->damaged = true;
        return -1;
    }
    fv_prores_skip(string, *length);
    return (int)(bits >> (32 - *length)) + fv_prores_code_bias(book, zeros);
}

void fv_prores_read_dc(FvProresString *string)
{
    int length, blocks = 1 << string->log2_blocks, sign = 0;
    int code = read_code(string, FV_PRORES_FIRST_DC_BOOK, &length), dc = fv_prores_first_dc(code);
    for (int i = 0; i < blocks && !string->damaged; i++) {
        if (i) {
            code = read_code(string, fv_prores_dc_book(i > 1 ? code : FV_PRORES_FIRST_DC_CODE), &length);
            sign = fv_prores_dc_sign(sign, code);
            dc += fv_prores_dc_difference(sign, code);
        }
        string->coefficients[i] = (int16_t)(dc = fv_prores_wrap16(dc));
    }
    string->position = blocks - 1;
    string->run = FV_PRORES_FIRST_RUN;
    string->level = FV_PRORES_FIRST_LEVEL;
    string->window = 32;
}

/* Returns whether the bits at which FFmpeg's decoder looks for the end are all zero. */
static bool at_end(const FvProresString *string)
{
    int left = string->bits - string->at, look = left < string->window ? left : string->window;
    return left < 32 && (look <= 0 || fv_prores_peek(string) >> (32 - look) == 0);
}

void fv_prores_read_ac(FvProresString *string)
{
    int length, end = 64 << string->log2_blocks;
    while (!string->damaged && !at_end(string)) {
        int run = read_code(string, fv_prores_run_book(string->run), &length);
        if (run < 0)
            return;
        if (run >= end - 1 - string->position) {
            string->damaged = true;
            return;
        }
        int level = read_code(string, fv_prores_level_book(string->level), &length) + 1;
        if (level < 1)
            return;
        bool negative = fv_prores_peek(string) >> 31;
        fv_prores_skip(string, 1);
        string->position += run + 1;
        string->run = run;
        string->level = level;
        string->window = FV_PRORES_LONGEST - length;
        string->coefficients[string->position] = (int16_t)fv_prores_wrap16(negative ? -level : level);
    }
}
