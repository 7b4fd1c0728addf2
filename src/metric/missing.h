/*
 * The value of a score that does not exist: a NaN with its own bits. Pools skip it, unlike the NaN of an undefined
 * score.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FV_MISSING_BITS UINT64_C(0x7ff8000000006e6f)

static inline double fv_missing(void)
{
    const uint64_t bits = FV_MISSING_BITS;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline bool fv_is_missing(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == FV_MISSING_BITS;
}
