/* ADM's wavelet for one instruction set: a row of coefficients of a picture. */
#pragma once

#include "cpu/adm.h"
#include "cpu/simd.h"

#include "arith/adm.h"

typedef int32_t Half32 __attribute__((vector_size(FV_VECTOR_BYTES / 2)));

/* Sums of what fv_take_turns gave, in the order of its arguments. */
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

FV_FN void store_half(int32_t *to, fv_i64 v)
{
    FV_STORE(to, __builtin_convertvector(v, Half32));
}

/* Two taps of each filter, as pairs. */
typedef struct Taps {
    fv_i16 first, second;
} Taps;

FV_FN Taps taps_of(const int tap[4])
{
    return (Taps){fv_splat_pair_i16(tap[0], tap[1]), fv_splat_pair_i16(tap[2], tap[3])};
}

/* Where a filter's sum starts: half of 2^bits, and what takes `zero` from every sample. */
FV_FN fv_i32 start_of(const int tap[4], int zero, int bits)
{
    return fv_splat_i32((1 << bits >> 1) - zero * (tap[0] + tap[1] + tap[2] + tap[3]));
}

FV_FN fv_i32 filtered(fv_i32 start, fv_i16 first, fv_i16 second, Taps taps)
{
    return fv_madd_add_i16(fv_madd_add_i16(start, first, taps.first), second, taps.second);
}

/* The rows that the next row of coefficients needs for the first time. */
FV_FN void fetch_ahead(const uint8_t *const row[4], ptrdiff_t bytes)
{
    uintptr_t two = 2 * ((uintptr_t)row[3] - (uintptr_t)row[2]);
    __builtin_prefetch((const void *)((uintptr_t)row[2] + two + (uintptr_t)bytes));
    __builtin_prefetch((const void *)((uintptr_t)row[3] + two + (uintptr_t)bytes));
}

/* From 16-bit rows at `bits` per sample (or of the low-pass band: 0) to one row, of 16 bits or, for the band, of 32.
 */
FV_FN void down_16(const uint8_t *const row[4], int width, int bits, bool bytes, int filters,
                   const FvAdmScratch *scratch)
{
    const int step = 2 * FV_LANES;
    const Taps taps[2] = {taps_of(fv_adm_low), taps_of(fv_adm_high)};
    const int middle = bits ? 1 << (bits - 1) : 0, zero = bits < 16 ? middle : 0; /* words need to be made signed */
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
            if (bits)
                FV_STORE((int16_t *)scratch->vertical[filter] + x, fv_join_i16(a >> bits, b >> bits));
            else
                store_wide(scratch->vertical[filter] + x, a, b);
        }
    }
}

FV_FN void down_32(const uint8_t *const row[4], int width, int filters, const FvAdmScratch *scratch)
{
    for (int x = 0; x < width; x += FV_LANES)
        for (int filter = 0; filter < filters; filter++) {
            const int *tap = filter ? fv_adm_high : fv_adm_low;
            fv_i64 even = fv_splat_i64(32768), odd = even;
            for (int k = 0; k < 4; k++) {
                fv_u64 v = FV_LOAD(fv_u64, row[k] + 4 * x);
                even += fv_signed_product((fv_i64)v, fv_splat_i64(tap[k]));
                odd += fv_signed_product((fv_i64)(v >> 32), fv_splat_i64(tap[k]));
            }
            /* The sums shifted by 16 fit in 32 bits. */
            fv_u64 joined = ((fv_u64)even >> 16 & 0xffffffffu) | ((fv_u64)odd >> 16 << 32);
            FV_STORE(scratch->vertical[filter] + x, joined);
        }
}

/* Two vectors, one behind the other, as words. */
FV_FN void store_words(int16_t *to, fv_i32 first, fv_i32 second)
{
    fv_i16 words = fv_join_i16(first, second);
#if defined(__AVX512F__)
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    words = (fv_i16)_mm512_permutexvar_epi64(order, (__m512i)words);
#elif defined(__AVX2__)
    words = (fv_i16)_mm256_permute4x64_epi64((__m256i)words, 0xd8);
#endif
    FV_STORE(to, words);
}

/* Along a row of 16 bits to another. */
FV_FN void across_16(const int16_t *from, int columns, int16_t *low_to, int16_t *high_to)
{
    const Taps low = taps_of(fv_adm_low), high = taps_of(fv_adm_high);
    const fv_i32 half = fv_splat_i32(1 << 15);
    for (int i = 0; i < columns; i += 2 * FV_LANES) {
        const int16_t *at = from + 2 * i - 1, *behind = at + 2 * FV_LANES;
        fv_i16 first[2] = {FV_LOAD(fv_i16, at), FV_LOAD(fv_i16, behind)};
        fv_i16 second[2] = {FV_LOAD(fv_i16, at + 2), FV_LOAD(fv_i16, behind + 2)};
        store_words(low_to + i, filtered(half, first[0], second[0], low) >> 16,
                    filtered(half, first[1], second[1], low) >> 16);
        store_words(high_to + i, filtered(half, first[0], second[0], high) >> 16,
                    filtered(half, first[1], second[1], high) >> 16);
    }
}

FV_FN void across_32(const int32_t *from, int columns, int bits, int32_t *low_to, int32_t *high_to)
{
    for (int i = 0; i < columns; i += FV_LANES64) {
        fv_i64 low = fv_splat_i64(1 << (bits - 1)), high = low;
        for (int k = 0; k < 4; k++) {
            fv_i64 v = FV_LOAD(fv_i64, from + 2 * i - 1 + k);
            low += fv_signed_product(v, fv_splat_i64(fv_adm_low[k]));
            high += fv_signed_product(v, fv_splat_i64(fv_adm_high[k]));
        }
        store_half(low_to + i, low >> bits);
        store_half(high_to + i, high >> bits);
    }
}

#define MIRROR(row, width)                                                                                           \
    do {                                                                                                             \
        (row)[-1] = (row)[1];                                                                                        \
        (row)[width] = (row)[(width)-1];                                                                             \
        (row)[(width) + 1] = (row)[(width)-2];                                                                       \
    } while (0)

/*
 * Row y of the bands of a picture; `low_row`: where the low-pass band keeps its row, or NULL. `filters`: 2, or 1
 * when only that band is wanted; then band v comes with it.
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
    else if (scale->scale == 0)
        down_16(row, width, scale->depth, false, filters, scratch);
    else if (scale->scale == 1)
        down_16(row, width, 0, false, filters, scratch);
    else
        down_32(row, width, filters, scratch);
    int32_t *low = low_row ? (int32_t *)low_row : scratch->low;
    int32_t *const to[2][2] = {{low, band[1]}, {band[0], band[2]}}; /* [vertical][horizontal] */
    for (int down = 0; down < filters; down++) {
        if (scale->scale == 0) {
            int16_t *from = (int16_t *)scratch->vertical[down];
            MIRROR(from, width);
            across_16(from, scale->columns, (int16_t *)to[down][0], (int16_t *)to[down][1]);
        } else {
            int32_t *from = scratch->vertical[down];
            MIRROR(from, width);
            if (across_bits == 16)
                across_32(from, scale->columns, 16, to[down][0], to[down][1]);
            else
                across_32(from, scale->columns, 15, to[down][0], to[down][1]);
        }
    }
}
