/*
 * Tables that replace counting bits in the fast entropy decoders, built from the rules of arith/prores.h.
 *
 * The AC decoder is in one of 36 states: which codebook the next run has and which the next level. A step
 * looks at the next FV_PRORES_LOOK bits in its state's table and gets a whole coefficient, or learns that the
 * coefficient is longer.
 */
#pragma once

#include <stdint.h>

#define FV_PRORES_BOOKS 6 /* different ones for runs, and as many for levels */
#define FV_PRORES_STATES (FV_PRORES_BOOKS * FV_PRORES_BOOKS)
#define FV_PRORES_LOOK 10 /* bits that a step looks at; with 6 bits of state they are the 16-bit index */

/*
 * A step: bits used in byte 0, positions to go on in byte 1, the level with its sign in byte 2, the next
 * state in the upper 6 bits, so that they are the index of its table once the lower half is gone. A
 * coefficient that is too long leaves everything as it is: 0 bits, 0 positions, level 0, the same state.
 */
#define FV_PRORES_STEP(bits, advance, level, state)                                                                  \
    ((uint32_t)(bits) | (uint32_t)(advance) << 8 | (uint32_t)(level) << 16 | (uint32_t)(state) << 26)

/* A codeword by its leading zeros: length, and what to add to its bits. */
typedef struct FvProresCode {
    int16_t length, bias;
} FvProresCode;

typedef struct FvProresTables {
    uint32_t step[FV_PRORES_STATES << FV_PRORES_LOOK]; /* steps, indexed by state and then by the next bits */
    FvProresCode run_codes[FV_PRORES_BOOKS][32], level_codes[FV_PRORES_BOOKS][32];
    FvProresCode dc_codes[6][32], first_dc_codes[32]; /* dc_codes by the previous code, up to 5 */
    uint8_t run_class[16], level_class[10];           /* index of the book that follows */
    uint8_t run_of_class[FV_PRORES_BOOKS], level_of_class[FV_PRORES_BOOKS]; /* a value that it follows */
} FvProresTables;

/* Made at the first call; any thread may call. */
const FvProresTables *fv_prores_tables(void);
