/* PU21 in plain C: the reference. docs/metrics/pu.md */
#include "arith/scalar.h"

#include "arith/pu21.h"
#include "cpu/pu21.h"

static void encode(const FvPuEncoding *encoding, const float *const light[3], int columns, float *to)
{
    const float *w = encoding->weight, *p = encoding->p;
    for (int x = 0; x < columns; x++) {
        float y = fv_pu_luminance(light[0][x], light[1][x], light[2][x], w[0], w[1], w[2]);
        if (encoding->gamma > 0)
            y = fv_pu_displayed(y, encoding->gamma, encoding->peak);
        to[x] = fv_pu_encode(y, p[0], p[1], p[2], p[3], p[4], p[5], p[6]);
    }
}

static uint64_t squares(const float *ref, const float *dis, int columns)
{
    uint64_t sum = 0;
    for (int x = 0; x < columns; x++) {
        int64_t difference = (int64_t)((ref[x] - dis[x]) * 16384);
        sum += (uint64_t)(difference * difference);
    }
    return sum;
}

const FvPuKernels fv_pu_kernels_scalar = {.encode = encode, .squares = squares};
