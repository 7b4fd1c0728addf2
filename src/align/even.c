#include "align/even.h"

#include <stdlib.h>
#include <string.h>

#define FLAT (2 * 256) /* maximum mean distance from the mean in pictures of one colour: two 8-bit codes */
#define MOST_CONTRAST (16 * FV_EVEN_CONTRAST - 1)

int32_t fv_even_distance(const FvEven *a, const FvEven *b)
{
    int16_t apart[FV_SIGNATURE];
    int32_t sum = 0;
    for (int c = 0; c < FV_SIGNATURE; c++) {
        const int16_t more = a->block[c] > b->block[c] ? a->block[c] : b->block[c];
        const int16_t less = a->block[c] > b->block[c] ? b->block[c] : a->block[c];
        apart[c] = (int16_t)(more - less);
    }
    for (int c = 0; c < FV_SIGNATURE; c++)
        sum += apart[c];
    return sum;
}

int32_t fv_even_mean(const int32_t signature[FV_SIGNATURE])
{
    int32_t sum = 0;
    for (int c = 0; c < FV_SIGNATURE; c++)
        sum += signature[c];
    return sum / FV_SIGNATURE;
}

void fv_even_make(FvEven *even, const int32_t signature[FV_SIGNATURE], int32_t mean, int32_t step)
{
    int32_t contrast = 0;
    for (int c = 0; c < FV_SIGNATURE; c++)
        contrast += abs(signature[c] - mean);
    contrast /= FV_SIGNATURE;
    even->flat = contrast < FLAT;
    even->contrast = contrast;
    even->quiet = 0;
    even->step = step;
    if (even->flat) {
        memset(even->block, 0, sizeof even->block);
        return;
    }
    const int32_t scale = (FV_EVEN_CONTRAST << 15) / contrast; /* at most 2^16, so that products fit 32 bits */
    for (int c = 0; c < FV_SIGNATURE; c++) {
        const int32_t block = ((signature[c] - mean) >> 2) * scale >> 13;
        even->block[c] = (int16_t)(block > MOST_CONTRAST    ? MOST_CONTRAST
                                   : block < -MOST_CONTRAST ? -MOST_CONTRAST
                                                            : block);
    }
    even->quiet = (int32_t)((int64_t)FV_SIGNATURE_QUIET * FV_EVEN_CONTRAST / contrast);
    even->step = (int32_t)((int64_t)step * FV_EVEN_CONTRAST / contrast);
}
