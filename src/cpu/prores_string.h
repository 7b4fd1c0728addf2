/* The entropy-coded string of one component of a slice, and its decoding by the book, one codeword at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FV_PRORES_MAX_BLOCKS 32
/* How many coefficients a string needs room for after its last one, so that a fast loop can check late. */
#define FV_PRORES_SLACK 512
#define FV_PRORES_STRING_WORDS (64 * FV_PRORES_MAX_BLOCKS + FV_PRORES_SLACK)

/*
 * The bits of one component. A decoder may stop anywhere and another one go on: the state is all here.
 * Positions are those of the interleaved order: coefficient k of block j is k * blocks + j, k in scan order.
 */
typedef struct FvProresString {
    const uint8_t *data, *end; /* end of the packet: bytes between the string's and this one are what follows it */
    int bits;
    int log2_blocks;
    int16_t *coefficients; /* coefficients by position, initially 0, with room for FV_PRORES_STRING_WORDS */
    int at;                /* bits read */
    int position;          /* position of the last coefficient */
    int run, level;        /* previous ones */
    int window;            /* how far the end test looks: what an encoder's zero padding is compared with */
    bool damaged;
} FvProresString;

/* Bits from the current place on, in the high end of the word. */
uint32_t fv_prores_peek(const FvProresString *string);

/* Moves on. A string that is read too far stays 8 bits past its end, as in FFmpeg's decoder. */
void fv_prores_skip(FvProresString *string, int bits);

/* The DC values of all blocks, from the start of the string. */
void fv_prores_read_dc(FvProresString *string);

/* The other coefficients, from the state the string has. */
void fv_prores_read_ac(FvProresString *string);
