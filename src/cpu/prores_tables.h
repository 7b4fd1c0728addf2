/*
 * Lookup tables of the fast entropy decoders, built from the rules of arith/prores.h.
 *
 * The AC decoder is in one of 36 states, which name the codebook of the next run and that of the next level. A step
 * looks up the next FV_PRORES_LOOK bits in its state's table. The entry is a complete coefficient, or says that the
 * coefficient is longer.
 */
#pragma once

#include <stdint.h>

#define FV_PRORES_BOOKS 6 /* number of different codebooks for runs, and also for levels */
#define FV_PRORES_STATES (FV_PRORES_BOOKS * FV_PRORES_BOOKS)
#define FV_PRORES_LOOK 10 /* bits of the string that, after the state's bits, form the index of a step */

/*
 * An entry: number of bits used in byte 0, number of positions to advance in byte 1, signed level in byte 2, next
 * state in the upper 6 bits, where it is the upper part of the next index. For a coefficient that is too long, the
 * entry changes nothing: 0 bits, 0 positions, level 0, the same state.
 */
#define FV_PRORES_STEP(bits, advance, level, state)                                                                  \
    ((uint32_t)(bits) | (uint32_t)(advance) << 8 | (uint32_t)(level) << 16 | (uint32_t)(state) << 26)

/* A codeword, found by its number of leading zeros: its length, and the number to add to its bits. */
typedef struct FvProresCode {
    int16_t length, bias;
} FvProresCode;

typedef struct FvProresTables {
    uint32_t step[FV_PRORES_STATES << FV_PRORES_LOOK]; /* steps, indexed by state and then by the next bits */
    FvProresCode run_codes[FV_PRORES_BOOKS][32], level_codes[FV_PRORES_BOOKS][32];
    FvProresCode dc_codes[6][32], first_dc_codes[32]; /* dc_codes: indexed by the previous code, limited to 5 */
    uint8_t run_class[16], level_class[10];           /* index of the codebook that follows a run or a level */
    /* One run, and one level, that selects each codebook. */
    uint8_t run_of_class[FV_PRORES_BOOKS], level_of_class[FV_PRORES_BOOKS];
} FvProresTables;

/* Returns the tables, which the first call builds; any thread may call it. */
const FvProresTables *fv_prores_tables(void);
