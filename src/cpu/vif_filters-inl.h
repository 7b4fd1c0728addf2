/*
 * Filters of VIF for one instruction set. A filter is a sum of products of pairs of neighbours, for the even and the
 * odd one of two results. Every 16-bit factor is kept minus 2^15, which makes it signed; as the weights add up to
 * 2^16, this takes 2^31 from a sum. A sum starts with what makes up for that and with half a unit for rounding.
 */
#pragma once

#include "cpu/simd.h"

#include "arith/vif.h"

#define STEP (2 * FV_LANES) /* 16-bit lanes of a vector */
#define PAIRS 9             /* maximum number of pairs of rows or columns that two neighbouring results use */

/* Weights of a pair for the even and the odd one of two results. */
typedef struct Weights {
    fv_i16 even[PAIRS], odd[PAIRS];
} Weights;

FV_FN int reach_of(int scale)
{
    return FV_VIF_REACH(scale);
}

/* Pairs on each side of the one in the middle. */
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
 * The middle weight of the coarsest scale does not fit 16 signed bits and is 2^16 too small there. This makes up for
 * it, from the pair in the middle.
 */
FV_FN fv_i32 made_up_even(fv_i16 pair, int scale)
{
    return scale == 3 ? (fv_i32)pair << 16 : (fv_i32){0};
}

FV_FN fv_i32 made_up_odd(fv_i16 pair, int scale)
{
    return scale == 3 ? (fv_i32)pair & (int32_t)0xffff0000 : (fv_i32){0};
}

/* Keeps a constant in a register where there are enough of them, and the compiler from making it again in a loop. */
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
        int offset = 2 * (i - side); /* offset of the pair's first element from the even result */
        weights.even[i] =
            (fv_i16)fv_splat_u32((uint32_t)weight_at(scale, offset) | (uint32_t)weight_at(scale, offset + 1) << 16);
        weights.odd[i] =
            (fv_i16)fv_splat_u32((uint32_t)weight_at(scale, offset - 1) | (uint32_t)weight_at(scale, offset) << 16);
        KEEP(weights.even[i]);
        KEEP(weights.odd[i]);
    }
    return weights;
}

/* Mirrors without repeating the edge. What lies farther has no weight and may be any row. */
static int mirror(int i, int count)
{
    int place = i < 0 ? -i : i >= count ? 2 * (count - 1) - i : i;
    return place < 0 ? 0 : place >= count ? count - 1 : place;
}

FV_FN fv_i16 less_half(fv_u16 x)
{
    return (fv_i16)(x ^ 0x8000);
}

/* Where a sum starts that is to be right, with half of 2^bits for rounding. */
FV_FN fv_i32 start_of(int bits)
{
    return (fv_i32)fv_splat_u32(0x80000000u + (1u << bits >> 1));
}

/* And where one does of which only 16 bits are wanted, from `bits` on, as a number 2^15 smaller. */
FV_FN fv_i32 start_of_words(int bits)
{
    return (fv_i32)((fv_u32)start_of(bits) + (0x8000u << bits));
}

FV_FN fv_u16 samples(const uint8_t *row, int x, bool words)
{
    return words ? FV_LOAD(fv_u16, row + 2 * x) : (fv_u16)fv_i16_from_u8(FV_LOAD(fv_u8_half, row + x));
}
