/* Makes pictures for the tests of libvmaf's interface, with the same samples on every machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "libvmaf/libvmaf.h"

/* Returns a sample of slow waves that move with `number`, plus noise of up to `noise` code values. */
static inline unsigned sample_of(unsigned x, unsigned y, unsigned plane, unsigned number, unsigned noise)
{
    uint32_t h = x * 374761393u + y * 668265263u + plane * 2246822519u + number * 3266489917u;
    h = (h ^ (h >> 13)) * 1274126177u;
    unsigned wave = ((x + 3 * number) & 63) + ((y * 2 + plane * 40) & 127);
    return 24 + wave + (noise ? (h >> 16) % (noise + 1) : 0);
}

static inline void paint(VmafPicture *picture, unsigned number, unsigned noise)
{
    for (unsigned plane = 0; plane < 3 && picture->data[plane]; plane++)
        for (unsigned y = 0; y < picture->h[plane]; y++) {
            uint8_t *row = (uint8_t *)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
            for (unsigned x = 0; x < picture->w[plane]; x++) {
                unsigned value = sample_of(x, y, plane, number, noise);
                if (picture->bpc > 8)
                    ((uint16_t *)row)[x] = (uint16_t)(value << (picture->bpc - 8));
                else
                    row[x] = (uint8_t)value;
            }
        }
}
