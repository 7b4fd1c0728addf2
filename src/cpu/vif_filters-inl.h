/*
 * Filters of VIF for one instruction set. A filter is a sum of products of pairs of neighbouring samples. Each pair
 * has weights for the even and for the odd one of two results. Every 16-bit sample is stored minus 2^15, which makes
 * it signed. As the weights add up to 2^16, this lowers a sum by 2^31. A sum's start value corrects that and adds
 * half a unit for rounding.
 */
#pragma once

#include "cpu/simd.h"
#include "cpu/border.h"

#include "arith/vif.h"

#define STEP (2 * FV_LANES) /* number of 16-bit lanes of a vector */
#define PAIRS 9             /* maximum number of pairs of rows or columns under two neighbouring results */

/* The weights of each pair, for the even and the odd one of two results. */
typedef struct Weights {
    fv_i16 even[PAIRS], odd[PAIRS];
} Weights;

FV_FN int reach_of(int scale)
{
    return FV_VIF_REACH(scale);
}

/* Returns the number of pairs on each side of the middle pair. */
FV_FN int side_of(int scale)
{
    return (reach_of(scale) + 1) / 2;
}

FV_FN int weight_at(int scale, int offset)
{
    int distance = offset < 0 ? -offset : offset;
    return distance > reach_of(scale) ? 0 : fv_vif_weight[9 * scale + distance];
}

/*
 * Returns the correction for the middle weight of the coarsest scale, which does not fit 16 signed bits and is stored
 * 2^16 too small. pair: the middle pair.
 */
FV_FN fv_i32 made_up_even(fv_i16 pair, int scale)
{
    return scale == 3 ? (fv_i32)pair << 16 : (fv_i32){0};
}

FV_FN fv_i32 made_up_odd(fv_i16 pair, int scale)
{
    return scale == 3 ? (fv_i32)pair & (int32_t)0xffff0000 : (fv_i32){0};
}

/*
 * Keeps a constant in a register, and prevents the compiler from recomputing it in a loop, if there are enough
 * registers.
 */
#if defined(__AVX512F__)
#define KEEP(vector) __asm__("" : "+v"(vector))
#else
#define KEEP(vector) ((void)0)
#endif

FV_FN Weights weights_of(int scale)
{
    Weights weights;
    int side = side_of(scale);
    FV_UNROLL
    for (int i = 0; i <= 2 * side; i++) {
        int offset = 2 * (i - side); /* offset of the pair's first element from the even result's position */
        weights.even[i] =
            (fv_i16)fv_splat_u32((uint32_t)weight_at(scale, offset) | (uint32_t)weight_at(scale, offset + 1) << 16);
        weights.odd[i] =
            (fv_i16)fv_splat_u32((uint32_t)weight_at(scale, offset - 1) | (uint32_t)weight_at(scale, offset) << 16);
        KEEP(weights.even[i]);
        KEEP(weights.odd[i]);
    }
    return weights;
}

/*
 * Mirrors an index at the borders without repeating the border. Indices further out have weight 0, so any result is
 * right.
 */
static int mirror(int i, int count)
{
    const int place = fv_mirror(i, count);
    return place < 0 ? 0 : place >= count ? count - 1 : place;
}

FV_FN fv_i16 less_half(fv_u16 x)
{
    return (fv_i16)(x ^ 0x8000);
}

/* Returns the start value of an exact sum, with half of 2^bits for rounding. */
FV_FN fv_i32 start_of(int bits)
{
    return (fv_i32)fv_splat_u32(0x80000000u + (1u << bits >> 1));
}

/*
 * Returns the start value of a sum whose caller uses 16 bits only, from bit `bits` on, as a signed number that is
 * 2^15 too small.
 */
FV_FN fv_i32 start_of_words(int bits)
{
    return (fv_i32)((fv_u32)start_of(bits) + (0x8000u << bits));
}

FV_FN fv_u16 samples(const uint8_t *row, int x, bool words)
{
    return words ? FV_LOAD(fv_u16, row + 2 * x) : (fv_u16)fv_i16_from_u8(FV_LOAD(fv_u8_half, row + x));
}
