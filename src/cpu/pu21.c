/* PU21 for one instruction set. */
#include "cpu/pu21.h"

#include "cpu/simd.h"

#include "arith/pu21.h"

static void encode(const FvPuEncoding *encoding, const float *const light[3], int columns, float *to)
{
    const float *w = encoding->weight, *p = encoding->p;
    for (int x = 0; x < columns; x += FV_LANES) {
        fv_f32 y = fv_pu_luminance(FV_LOAD(fv_f32, light[0] + x), FV_LOAD(fv_f32, light[1] + x),
                                   FV_LOAD(fv_f32, light[2] + x), w[0], w[1], w[2]);
        if (encoding->gamma > 0)
            y = fv_pu_displayed(y, encoding->gamma, encoding->peak);
        FV_STORE(to + x, fv_pu_encode(y, p[0], p[1], p[2], p[3], p[4], p[5], p[6]));
    }
}

static uint64_t squares(const float *ref, const float *dis, int columns)
{
    fv_u64 sums = {0};
    uint64_t sum = 0;
    for (int x = 0; x < columns; x += FV_LANES) {
        fv_mask inside = fv_lane_index() < columns - x;
        fv_f32 difference = fv_abs_f32(FV_LOAD(fv_f32, ref + x) - FV_LOAD(fv_f32, dis + x)) * 16384.0f;
        fv_word words = (fv_word)(fv_i32_from_f32((fv_f32)((fv_i32)difference & inside)));
        sums += fv_product(words, words) + fv_product(words >> 32, words >> 32);
    }
    for (int lane = 0; lane < FV_LANES / 2; lane++)
        sum += sums[lane];
    return sum;
}

const FvPuKernels FV_ISA_STRUCT(fv_pu_kernels) = {.encode = encode, .squares = squares};
