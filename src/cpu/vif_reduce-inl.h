/* Computes the frames of VIF's next scale, of half the size, for one instruction set. */
#pragma once

#include "cpu/vif.h"
#include "cpu/vif_filters-inl.h"
#include "os/memory.h"

/* Scratch memory: interleaved pairs of rows, and a row of means over columns with its mirrored ends. */
typedef struct Reduction {
    FvTurns *pair[PAIRS];
    int16_t *column;
} Reduction;

static Reduction reduction_in(void *scratch, int width, int pairs)
{
    Reduction to = {.column = (int16_t *)scratch + 32};
    FvTurns *next = (FvTurns *)((uint8_t *)scratch + FV_ROUND_UP((size_t)width + 128, 32) * sizeof(int16_t));
    for (int i = 0; i < pairs; i++, next += (width + STEP - 1) / STEP)
        to.pair[i] = next;
    return to;
}

/* Interleaves rows y and y + 1. Samples are stored as they are unless they use all 16 bits. */
FV_FN void take_pair(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t stride, int y, FvTurns *to, bool words,
                     int bits)
{
    const uint8_t *upper = plane + mirror(y, p->height) * stride, *lower = plane + mirror(y + 1, p->height) * stride;
    fv_u16 zero = (fv_u16)fv_splat_i16(bits == 16 ? INT16_MIN : 0);
    for (int x = 0; x < p->width; x += STEP)
        *to++ = fv_take_turns((fv_i16)(samples(upper, x, words) ^ zero), (fv_i16)(samples(lower, x, words) ^ zero));
}

/* Averages a row over columns, as numbers 2^15 too small. */
FV_FN void average_pairs(const FvTurns *const pair[PAIRS], int width, int16_t *to, int scale, int bits)
{
    Weights weights = weights_of(scale);
    int side = side_of(scale);
    const fv_i32 start = (fv_i32)fv_splat_u32((1u << bits >> 1) - (bits < 16 ? 0x8000u << bits : 0));
    for (int x = 0; x < width; x += STEP) {
        fv_i32 low = start, high = start;
        FV_UNROLL
        for (int i = 0; i <= 2 * side; i++) {
            const FvTurns *at = pair[i] + x / STEP;
            low = fv_madd_add_i16(low, at->low, weights.even[i]);
            high = fv_madd_add_i16(high, at->high, weights.even[i]);
        }
        const FvTurns *middle = pair[side] + x / STEP;
        low += made_up_even(middle->low, scale);
        high += made_up_even(middle->high, scale);
        FV_STORE(to + x, fv_join_i16(low >> bits, high >> bits));
    }
}

/* Averages a row over its columns, at the even columns only. */
FV_FN void average_halved(int16_t *column, int width, uint16_t *to, int scale)
{
    Weights weights = weights_of(scale);
    int side = side_of(scale);
    for (int i = 1; i <= reach_of(scale); i++) {
        column[-i] = column[i];
        column[width - 1 + i] = column[width - 1 - i];
    }
    for (int x = 0; x < width / 2; x += FV_LANES) {
        fv_i32 sum = start_of(16) + made_up_even(FV_LOAD(fv_i16, column + 2 * x), scale);
        FV_UNROLL
        for (int i = 0; i <= 2 * side; i++)
            sum = fv_madd_add_i16(sum, FV_LOAD(fv_i16, column + 2 * x + 2 * (i - side)), weights.even[i]);
        FV_STORE(to + x, __builtin_convertvector((fv_u32)sum >> 16, fv_u16_half));
    }
}

FV_FN void reduce_plane(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t from_stride, int first, int rows,
                        uint16_t *to, ptrdiff_t stride, void *scratch, int scale, bool words, int bits)
{
    int side = side_of(scale), count = 2 * side + 1, next = first - side;
    Reduction work = reduction_in(scratch, p->width, count);
    for (int y = first; y < first + rows; y++) {
        const FvTurns *pair[PAIRS];
        for (; next <= y + side; next++)
            take_pair(p, plane, from_stride, 2 * next, work.pair[(next + count) % count], words, bits);
        for (int i = 0; i < count; i++)
            pair[i] = work.pair[(y - side + i + count) % count];
        average_pairs(pair, p->width, work.column, scale, bits);
        average_halved(work.column, p->width, (uint16_t *)((uint8_t *)to + y * stride), scale);
    }
}
