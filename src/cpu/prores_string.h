/*
 * The entropy-coded string of one component of a slice, and the reference decoder, which reads one codeword at a
 * time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FV_PRORES_MAX_BLOCKS 32
/* Number of spare coefficients after a string's last one, so that a fast loop may test for the end late. */
#define FV_PRORES_SLACK 512
#define FV_PRORES_STRING_WORDS (64 * FV_PRORES_MAX_BLOCKS + FV_PRORES_SLACK)

/*
 * The read position in the bits of one component. It is the decoder's complete state, so one decoder may stop
 * anywhere and another one continue. Coefficients are interleaved: coefficient k (in scan order) of block j is at
 * k * blocks + j.
 */
typedef struct FvProresString {
    /*
     * data: start of the string. end: end of the packet; the bytes from the string's end to `end` belong to later
     * data.
     */
    const uint8_t *data, *end;
    int bits;
    int log2_blocks;
    int16_t *coefficients; /* coefficients by position, initially 0; FV_PRORES_STRING_WORDS entries */
    int at;                /* number of bits read */
    int position;          /* position of the last coefficient that was read */
    int run, level;        /* run and level of the previous coefficient */
    int window;            /* number of bits that the test for zero padding at the end looks at */
    bool damaged;
} FvProresString;

/* Returns the next bits, the first of them in the top bit of the word. */
uint32_t fv_prores_peek(const FvProresString *string);

/* Skips bits. At most 8 bits past its end count as read, as in FFmpeg's decoder. */
void fv_prores_skip(FvProresString *string, int bits);

/* Reads the DC values of all blocks, from the start of the string. */
void fv_prores_read_dc(FvProresString *string);

/* Reads the remaining coefficients from the current state on. */
void fv_prores_read_ac(FvProresString *string);
