#include "cpu/prores_tables.h"

#include "os/thread.h"

#include "arith/scalar.h"

#include "arith/prores.h"

static FvProresTables tables;
static FvOnce once = FV_ONCE;

static void fill_codes(FvProresCode codes[32], int book)
{
    for (int zeros = 0; zeros < 32; zeros++)
        codes[zeros] =
            (FvProresCode){(int16_t)fv_prores_code_length(book, zeros), (int16_t)fv_prores_code_bias(book, zeros)};
}

/* Numbers the different codebooks in the order of their first use. */
static void classify(const int *books, int count, int first, uint8_t *class_of, uint8_t *value_of,
                     FvProresCode (*codes)[32])
{
    int classes = 0;
    for (int i = first; i < count; i++) {
        int c = 0;
        while (c < classes && books[value_of[c]] != books[i])
            c++;
        if (c == classes) {
            value_of[classes++] = (uint8_t)i;
            fill_codes(codes[c], books[i]);
        }
        class_of[i] = (uint8_t)c;
    }
}

/* Decodes the codeword at the start of 32 bits. Returns -1 if it has more than `most` bits. */
static int read_code(const FvProresCode codes[32], uint32_t bits, int most, int *length)
{
    int zeros = bits ? __builtin_clz(bits) : 31;
    *length = codes[zeros].length;
    return *length > most ? -1 : (int)(bits >> (32 - *length)) + codes[zeros].bias;
}

static uint32_t make_step(int state, uint32_t bits)
{
    int run_bits, level_bits, miss = FV_PRORES_STEP(0, 0, 0, state);
    int run = read_code(tables.run_codes[state / FV_PRORES_BOOKS], bits, FV_PRORES_LOOK - 2, &run_bits);
    if (run < 0)
        return miss;
    bits <<= run_bits;
    int most = FV_PRORES_LOOK - 1 - run_bits;
    int level = read_code(tables.level_codes[state % FV_PRORES_BOOKS], bits, most, &level_bits) + 1;
    if (level < 1 || level > 127 || run > 254)
        return miss;
    bits <<= level_bits;
    int next = tables.run_class[run < 15 ? run : 15] * FV_PRORES_BOOKS + tables.level_class[level < 9 ? level : 9];
    return FV_PRORES_STEP(run_bits + level_bits + 1, run + 1, (uint8_t)(bits >> 31 ? -level : level), next);
}

static void make_tables(void)
{
    classify(fv_prores_run_books, 16, 0, tables.run_class, tables.run_of_class, tables.run_codes);
    classify(fv_prores_level_books, 10, 1, tables.level_class, tables.level_of_class, tables.level_codes);
    for (int i = 0; i < 6; i++)
        fill_codes(tables.dc_codes[i], fv_prores_dc_books[i]);
    fill_codes(tables.first_dc_codes, FV_PRORES_FIRST_DC_BOOK);
    for (int state = 0; state < FV_PRORES_STATES; state++)
        for (uint32_t i = 0; i < 1u << FV_PRORES_LOOK; i++)
            tables.step[(uint32_t)state << FV_PRORES_LOOK | i] = make_step(state, i << (32 - FV_PRORES_LOOK));
}

const FvProresTables *fv_prores_tables(void)
{
    fv_once(&once, make_tables);
    return &tables;
}
