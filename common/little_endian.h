/* Converts numbers to little-endian byte order, which files and clients get from every processor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Copies `bytes` bytes of numbers of `width` bytes each, and makes them little-endian. */
static inline void fv_copy_little(void *to, const void *from, size_t bytes, size_t width)
{
    uint8_t *out = to;
    memcpy(out, from, bytes);
    for (size_t i = 0; i + width <= bytes && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; i += width)
        for (size_t byte = 0; byte < width / 2; byte++) {
            const uint8_t first = out[i + byte];
            out[i + byte] = out[i + width - 1 - byte];
            out[i + width - 1 - byte] = first;
        }
}

/* Writes `bytes` bytes of numbers of `width` bytes each as little-endian numbers. False: the stream failed. */
static inline bool fv_write_little(FILE *file, const void *from, size_t bytes, size_t width)
{
    if (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__ || width == 1)
        return fwrite(from, 1, bytes, file) == bytes;
    uint8_t part[4096];
    for (size_t at = 0, size; at < bytes; at += size) {
        size = bytes - at < sizeof part ? bytes - at : sizeof part;
        fv_copy_little(part, (const uint8_t *)from + at, size, width);
        if (fwrite(part, 1, size, file) != size)
            return false;
    }
    return true;
}
