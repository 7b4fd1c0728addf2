/* Random numbers for tests that compare with the C library. Each file that includes this header has its own state. */
#pragma once

#include <stdint.h>
#include <string.h>

static uint64_t state; /* state of the generator, which tests set to a seed */

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t next_random(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
