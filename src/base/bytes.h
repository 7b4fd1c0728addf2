/* Reads and writes integers of files, in big-endian and little-endian order. */
#pragma once

#include <stdint.h>

static inline int fv_be16(const uint8_t *p)
{
    return p[0] << 8 | p[1];
}

static inline uint32_t fv_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint32_t fv_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Reads a big-endian number of up to 8 bytes. */
static inline uint64_t fv_be(const uint8_t *p, int bytes)
{
    uint64_t number = 0;
    while (bytes--)
        number = number << 8 | *p++;
    return number;
}
