/* ADM's wavelet for one instruction set: computes a row of coefficients of one frame. */
#pragma once

#include "cpu/simd.h"
#include "cpu/adm.h"

#include "arith/adm.h"

typedef int32_t Half32 __attribute__((vector_size(FV_VECTOR_BYTES / 2)));

/* Stores the 32-bit sums of two vectors from fv_take_turns() in the order of that function's arguments. */
FV_FN void store_wide(int32_t *to, fv_i32 low, fv_i32 high)
{
#if defined(__AVX512F__)
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    FV_STORE(to, _mm512_permutex2var_epi64((__m512i)low, first, (__m512i)high));
    FV_STORE(to + FV_LANES, _mm512_permutex2var_epi64((__m512i)low, second, (__m512i)high));
#elif defined(__AVX2__)
    FV_STORE(to, _mm256_permute2x128_si256((__m256i)low, (__m256i)high, 0x20));
    FV_STORE(to + FV_LANES, _mm256_permute2x128_si256((__m256i)low, (__m256i)high, 0x31));
#else
    FV_STORE(to, low);
    FV_STORE(to + FV_LANES, high);
#endif
}

#if defined(__AVX512BW__)
#define OF_TURNS(n) n, n + 2, n + 4, n + 6, n + 32, n + 34, n + 36, n + 38
#define OF_ORDER(n) n, n + 2, n + 4, n + 6, n + 8, n + 10, n + 12, n + 14
#else
FV_FN fv_i16 in_order(fv_i16 words)
{
#if defined(__AVX2__)
    return (fv_i16)_mm256_permute4x64_epi64((__m256i)words, 0xd8);
#else
    return words;
#endif
}

FV_FN fv_i16 join_lower(fv_i32 first, fv_i32 second)
{
    return fv_join_i16(first << 16 >> 16, second << 16 >> 16);
}
#endif

/* Returns the upper 16 bits of the lanes of two vectors, in order. */
FV_FN fv_i16 upper_words(fv_i32 first, fv_i32 second)
{
#if defined(__AVX512BW__)
    return __builtin_shufflevector((fv_i16)first, (fv_i16)second, OF_ORDER(1), OF_ORDER(17), OF_ORDER(33),
                                   OF_ORDER(49));
#else
    return in_order(fv_join_i16(first >> 16, second >> 16));
#endif
}

/*
 * 32-bit numbers as two 16-bit numbers: the upper half, and the lower half less 2^15, so that both are signed. A
 * filter's sum is 2^16 times the sum of the upper halves, plus the sum of the lower halves, plus 2^15 times the sum
 * of the taps.
 */
typedef struct Split {
    fv_i16 upper, lower;
} Split;

#define FLIP fv_splat_i16(INT16_MIN)

FV_FN Split split(fv_i32 first, fv_i32 second)
{
#if defined(__AVX512BW__)
    fv_i16 lower =
        __builtin_shufflevector((fv_i16)first, (fv_i16)second, OF_ORDER(0), OF_ORDER(16), OF_ORDER(32), OF_ORDER(48));
#else
    fv_i16 lower = in_order(join_lower(first, second));
#endif
    return (Split){upper_words(first, second), lower ^ FLIP};
}

/* Splits the 32-bit sums of two vectors from fv_take_turns() in the order of that function's arguments. */
FV_FN Split split_turns(fv_i32 low, fv_i32 high)
{
#if defined(__AVX512BW__)
    fv_i16 upper =
        __builtin_shufflevector((fv_i16)low, (fv_i16)high, OF_TURNS(1), OF_TURNS(9), OF_TURNS(17), OF_TURNS(25));
    fv_i16 lower =
        __builtin_shufflevector((fv_i16)low, (fv_i16)high, OF_TURNS(0), OF_TURNS(8), OF_TURNS(16), OF_TURNS(24));
#else
    fv_i16 upper = fv_join_i16(low >> 16, high >> 16), lower = join_lower(low, high);
#endif
    return (Split){upper, lower ^ FLIP};
}

/* Splits 64-bit lanes that each hold a pair of numbers from two rows. */
FV_FN Split split_pairs(fv_u32 even, fv_u32 odd)
{
    const fv_u32 above = fv_splat_u32(0xffff0000u);
    return (Split){(fv_i16)(even >> 16 | (odd & above)), (fv_i16)((even & ~above) | odd << 16) ^ FLIP};
}

/*
 * Returns where the lower halves of a row start, after its upper halves. Both fit the memory of a row of 32-bit
 * numbers.
 */
FV_FN int16_t *lower_row(int16_t *upper, int width)
{
    return upper + FV_ROUND_UP(width + 34, 32);
}

/* The four taps of a filter as two vectors of pairs. */
typedef struct Taps {
    fv_i16 first, second;
} Taps;

FV_FN Taps taps_of(const int tap[4])
{
    return (Taps){fv_splat_pair_i16(tap[0], tap[1]), fv_splat_pair_i16(tap[2], tap[3])};
}

/* Returns the start value of a filter's sum: half of 2^bits for rounding, less `zero` times the sum of the taps. */
FV_FN fv_i32 start_of(const int tap[4], int zero, int bits)
{
    return fv_splat_i32((1 << bits >> 1) - zero * (tap[0] + tap[1] + tap[2] + tap[3]));
}

FV_FN fv_i32 filtered(fv_i32 start, fv_i16 first, fv_i16 second, Taps taps)
{
    return fv_madd_add_i16(fv_madd_add_i16(start, first, taps.first), second, taps.second);
}

/* Returns the result of one filter for split numbers, shifted right by `bits`. */
FV_FN fv_i32 filtered_split(const int tap[4], Split first, Split second, int bits)
{
    const Taps taps = taps_of(tap);
    fv_i32 upper = filtered(fv_splat_i32((tap[0] + tap[1] + tap[2] + tap[3]) / 2), first.upper, second.upper, taps);
    fv_i32 lower = filtered(fv_splat_i32(1 << (bits - 1)), first.lower, second.lower, taps);
    return (fv_i32)((fv_u32)upper << (16 - bits)) + (lower >> bits);
}

/* Prefetches the rows that the next row of coefficients will read for the first time. */
FV_FN void fetch_ahead(const uint8_t *const row[4], ptrdiff_t bytes)
{
    uintptr_t two = 2 * ((uintptr_t)row[3] - (uintptr_t)row[2]);
    __builtin_prefetch((const void *)((uintptr_t)row[2] + two + (uintptr_t)bytes));
    __builtin_prefetch((const void *)((uintptr_t)row[3] + two + (uintptr_t)bytes));
}

/*
 * Filters 16-bit rows down their columns. bits: depth of the samples, or 0 for the low-pass band. Writes one row of
 * 16-bit numbers, split if the input is the low-pass band.
 */
FV_FN void down_16(const uint8_t *const row[4], int width, int bits, bool bytes, int filters,
                   const FvAdmScratch *scratch)
{
    const int step = 2 * FV_LANES;
    const Taps taps[2] = {taps_of(fv_adm_low), taps_of(fv_adm_high)};
    /* Subtracting `middle` makes 16-bit samples signed. For narrower samples, the start of the sums subtracts it. */
    const int middle = bits ? 1 << (bits - 1) : 0, zero = bits < 16 ? middle : 0;
    const fv_i32 start[2] = {start_of(fv_adm_low, zero, bits), start_of(fv_adm_high, zero, bits)};
    for (int x = 0; x < width; x += step) {
        fv_i16 v[4];
        fetch_ahead(row, bytes ? x : 2 * x);
        for (int k = 0; k < 4; k++) {
            v[k] = bytes ? fv_i16_from_u8(FV_LOAD(fv_u8_half, row[k] + x)) : FV_LOAD(fv_i16, row[k] + 2 * x);
            if (bits)
                v[k] -= (int16_t)(uint16_t)(middle - zero);
        }
        FvTurns upper = fv_take_turns(v[0], v[1]), lower = fv_take_turns(v[2], v[3]);
        for (int filter = 0; filter < filters; filter++) {
            fv_i32 a = filtered(start[filter], upper.low, lower.low, taps[filter]);
            fv_i32 b = filtered(start[filter], upper.high, lower.high, taps[filter]);
            int16_t *to = (int16_t *)scratch->vertical[filter] + x;
            if (bits) {
                FV_STORE(to, fv_join_i16(a >> bits, b >> bits));
                continue;
            }
            const Split sums = split_turns(a, b);
            FV_STORE(to, sums.upper);
            FV_STORE(lower_row(to, width), sums.lower);
        }
    }
}

FV_FN void down_32(const uint8_t *const row[4], int width, int filters, const FvAdmScratch *scratch)
{
    for (int x = 0; x < width; x += 2 * FV_LANES) {
        /* Offset of the next vector; rows are read up to a multiple of 64 bytes. */
        const int behind = x + FV_LANES < width ? FV_LANES : 0;
        Split first[2], second[2];
        for (int part = 0; part < 2; part++) {
            fv_u32 v[4];
            for (int k = 0; k < 4; k++)
                v[k] = FV_LOAD(fv_u32, row[k] + 4 * (x + part * behind));
            first[part] = split_pairs(v[0], v[1]);
            second[part] = split_pairs(v[2], v[3]);
        }
        for (int filter = 0; filter < filters; filter++) {
            const int *tap = filter ? fv_adm_high : fv_adm_low;
            int16_t *to = (int16_t *)scratch->vertical[filter] + x;
            const Split sums =
                split(filtered_split(tap, first[0], second[0], 16), filtered_split(tap, first[1], second[1], 16));
            FV_STORE(to, sums.upper);
            FV_STORE(lower_row(to, width), sums.lower);
        }
    }
}

/* Filters a row of 16-bit numbers along the row. */
FV_FN void across_16(const int16_t *from, int columns, int16_t *low_to, int16_t *high_to)
{
    const Taps low = taps_of(fv_adm_low), high = taps_of(fv_adm_high);
    const fv_i32 half = fv_splat_i32(1 << 15);
    for (int i = 0; i < columns; i += 2 * FV_LANES) {
        const int16_t *at = from + 2 * i - 1, *behind = at + 2 * FV_LANES;
        fv_i16 first[2] = {FV_LOAD(fv_i16, at), FV_LOAD(fv_i16, behind)};
        fv_i16 second[2] = {FV_LOAD(fv_i16, at + 2), FV_LOAD(fv_i16, behind + 2)};
        FV_STORE(low_to + i,
                 upper_words(filtered(half, first[0], second[0], low), filtered(half, first[1], second[1], low)));
        FV_STORE(high_to + i,
                 upper_words(filtered(half, first[0], second[0], high), filtered(half, first[1], second[1], high)));
    }
}

/* Filters a split row along the row. */
FV_FN void across_32(const int16_t *upper, const int16_t *lower, int columns, int bits, int32_t *low_to,
                     int32_t *high_to)
{
    for (int i = 0; i < columns; i += FV_LANES) {
        const int at = 2 * i - 1;
        const Split first = {FV_LOAD(fv_i16, upper + at), FV_LOAD(fv_i16, lower + at)};
        const Split second = {FV_LOAD(fv_i16, upper + at + 2), FV_LOAD(fv_i16, lower + at + 2)};
        FV_STORE(low_to + i, filtered_split(fv_adm_low, first, second, bits));
        FV_STORE(high_to + i, filtered_split(fv_adm_high, first, second, bits));
    }
}

#define MIRROR(row, width)                                                                                           \
    do {                                                                                                             \
        (row)[-1] = (row)[1];                                                                                        \
        (row)[width] = (row)[(width)-1];                                                                             \
        (row)[(width) + 1] = (row)[(width)-2];                                                                       \
    } while (0)

/*
 * Computes row y of the bands of a frame. low_row: where the low-pass band's row goes, or NULL. filters: 2; or 1 if
 * the caller needs the low-pass band only, with which band v is computed too.
 */
FV_FN void wavelet(const FvAdmScale *scale, const FvAdmPlane *input, int y, int filters, const FvAdmScratch *scratch,
                   int32_t *const band[3], uint8_t *low_row)
{
    const uint8_t *row[4];
    int width = scale->width, across_bits = scale->scale == 2 ? 16 : 15;
    for (int k = 0; k < 4; k++)
        row[k] = (const uint8_t *)input->data + fv_adm_place(y, k, scale->height) * input->stride;
    if (scale->scale == 0 && scale->depth == 8)
        down_16(row, width, 8, true, filters, scratch);
    else if (scale->scale == 0 && scale->depth == 10)
        down_16(row, width, 10, false, filters, scratch);
    else if (scale->scale == 0)
        down_16(row, width, scale->depth, false, filters, scratch);
    else if (scale->scale == 1)
        down_16(row, width, 0, false, filters, scratch);
    else
        down_32(row, width, filters, scratch);
    int32_t *low = low_row ? (int32_t *)low_row : scratch->low;
    int32_t *const to[2][2] = {{low, band[1]}, {band[0], band[2]}}; /* [vertical][horizontal] */
    for (int down = 0; down < filters; down++) {
        int16_t *from = (int16_t *)scratch->vertical[down], *lower = lower_row(from, width);
        MIRROR(from, width);
        if (scale->scale == 0) {
            across_16(from, scale->columns, (int16_t *)to[down][0], (int16_t *)to[down][1]);
        } else {
            MIRROR(lower, width);
            if (across_bits == 16)
                across_32(from, lower, scale->columns, 16, to[down][0], to[down][1]);
            else
                across_32(from, lower, scale->columns, 15, to[down][0], to[down][1]);
        }
    }
}
