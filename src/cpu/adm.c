/*
 * ADM for one instruction set. A row of coefficients comes from the wavelet and is split and weighted at once. The
 * sums look at three such rows only.
 */
#include "cpu/adm.h"

#include "cpu/simd.h"
#include "cpu/words.h"

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

/* ---- Wavelet ------------------------------------------------------------------------------------------------- */

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
 * Row y of the bands of a picture; `low_row`: where that of the low-pass band is kept, or NULL. `filters`: 2, or 1
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

/* ---- Coefficients -------------------------------------------------------------------------------------------- */

typedef union Halves {
    fv_f32 whole;
    fv_f32_half half[2];
} Halves;

typedef union MaskHalves {
    fv_i32 whole;
    Half32 half[2];
} MaskHalves;

FV_FN fv_mask aligned_exactly(fv_f32 inner_product, fv_f32 ref_square, fv_f32 dis_square)
{
    Halves inner = {inner_product}, ref = {ref_square}, dis = {dis_square};
    MaskHalves result;
    for (int i = 0; i < 2; i++)
        result.half[i] = __builtin_convertvector(fv_adm_aligned(inner.half[i], ref.half[i], dis.half[i]), Half32);
    return result.whole;
}

/*
 * fv_adm_aligned of pairs (h, v). A float has errors of less than 2^-21 of the bound, and decides where the square is
 * farther from it or the bound is 0.
 */
FV_FN fv_mask aligned_0(fv_i16 o, fv_i16 t)
{
    fv_f32 inner = fv_f32_from_i32(fv_madd_i16(o, t)), ref = fv_f32_from_i32(fv_madd_i16(o, o));
    fv_f32 dis = fv_f32_from_i32(fv_madd_i16(t, t)), none = fv_splat_f32(0);
    fv_f32 bound = (float)FV_ADM_COS_SQUARED * ref * dis, beyond = inner * inner - bound;
    fv_mask near = fv_and(fv_abs_f32(beyond) <= bound * 9.5367431640625e-07f, bound > none);
    if (fv_any(near))
        return aligned_exactly(inner, ref, dis);
    return fv_and(inner >= none, beyond >= none);
}

/* -k of fv_adm_split0; below -2^15 for more. */
FV_FN fv_i32 minus_k(fv_i16 size, fv_i16 bounded)
{
    return (fv_i32)(16383u - fv_share((fv_u32)size) * (fv_u32)bounded) >> 15;
}

/*
 * fv_adm_split0 and fv_adm_enhance0 in words: what is restored, with the sign of o. Magnitudes are at most 22930,
 * those of the wavelet's results. To round a product with its sign half up is what the formulas do to the magnitude.
 * `most` times `limit` fits a word, and exceeds magnitudes.
 */
FV_FN fv_i16 restored_0(fv_i16 o, fv_i16 t, fv_mask16 same, fv_i16 limit, fv_i16 most)
{
    const fv_i16 none = fv_splat_i16(0), one = fv_splat_i16(1);
    fv_i16 sign = o >> 15, along = (t ^ sign) - sign, size = fv_abs_i16(o);
    FvTurns sizes = fv_take_turns(fv_max_i16(size, one), none);
    FvTurns bounds = fv_take_turns(fv_min_i16(fv_max_i16(along, none), size + one), none);
    fv_i16 k = fv_join_i16(minus_k(sizes.low, bounds.low), minus_k(sizes.high, bounds.high));
    fv_i16 restored = fv_abs_i16(fv_mulhrs_i16(k, -o));
    fv_i16 enhanced = fv_max_i16(fv_min_i16(fv_min_i16(restored, most) * limit, along), none);
    restored = fv_sel_i16(same, enhanced, restored);
    return (restored ^ sign) - sign;
}

/* A factor of 16 bits, of which the first is taken for a sign. */
typedef struct Factor0 {
    fv_i16 rest, whole; /* `whole`: all bits where what `rest` lacks is to be added */
} Factor0;

FV_FN Factor0 factor_0(uint32_t factor, int diagonal)
{
    bool large = factor >> 15;
    return (Factor0){fv_splat_i16((int16_t)(diagonal ? factor : factor & 0x7fff)), fv_splat_i16(large ? -1 : 0)};
}

/* fv_adm_masker0 of a part with its sign. */
FV_FN fv_i16 masker_0(fv_i16 part, Factor0 factor, int diagonal)
{
    if (!diagonal)
        return fv_abs_i16(fv_mulhrs_i16(part, factor.rest) + (part & factor.whole));
    fv_i16 half = fv_high_i16(-part, factor.rest) + (-part & factor.whole);
    return fv_abs_i16(fv_mulhrs_i16(half, fv_splat_i16(16384)));
}

/* Sums over the bands of fv_adm_around0, and of fv_adm_centre0 less those: 4369 / 4096 is 1 + 273 / 4096. */
FV_FN void spread_0(const fv_i16 masker[3], int32_t *around_to, int32_t *centre_to)
{
    const fv_i16 both = fv_splat_pair_i16(1, 1), minus = fv_splat_pair_i16(-1, -1);
    fv_i16 around[3], centre[3];
    for (int band = 0; band < 3; band++) {
        around[band] = masker[band] + fv_mulhrs_i16(masker[band], fv_splat_i16(8 * 273));
        centre[band] = masker[band] + masker[band] + fv_mulhrs_i16(masker[band], fv_splat_i16(16 * 273));
    }
    FvTurns near = fv_take_turns(around[0], around[1]), here = fv_take_turns(centre[0], centre[1]);
    FvTurns last = fv_take_turns(around[2], centre[2]);
    const fv_i16 first = fv_splat_pair_i16(1, 0), difference = fv_splat_pair_i16(-1, 1);
    store_wide(around_to, fv_madd_add_i16(fv_madd_i16(near.low, both), last.low, first),
               fv_madd_add_i16(fv_madd_i16(near.high, both), last.high, first));
    fv_i32 low = fv_madd_add_i16(fv_madd_i16(here.low, both), last.low, difference);
    fv_i32 high = fv_madd_add_i16(fv_madd_i16(here.high, both), last.high, difference);
    store_wide(centre_to, fv_madd_add_i16(low, near.low, minus), fv_madd_add_i16(high, near.high, minus));
}

/* Lines get magnitudes, which are words here and not weighted yet. */
FV_FN void measure_0(const FvAdmScale *scale, const FvAdmScratch *scratch, const FvAdmLine *line, int from, int to)
{
    const fv_i16 limit = fv_splat_i16(scale->limit), most = fv_splat_i16(INT16_MAX / scale->limit);
    const Factor0 factor[3] = {factor_0(scale->factor[0], 0), factor_0(scale->factor[1], 0),
                               factor_0(scale->factor[2], 1)};
    for (int x = from; x < to; x += 2 * FV_LANES) {
        fv_i16 o[3], t[3], masker[2][3];
        for (int band = 0; band < 3; band++) {
            o[band] = FV_LOAD(fv_i16, (const int16_t *)scratch->band[0][band] + x);
            t[band] = FV_LOAD(fv_i16, (const int16_t *)scratch->band[1][band] + x);
        }
        FvTurns ref = fv_take_turns(o[0], o[1]), dis = fv_take_turns(t[0], t[1]);
        fv_mask16 same = (fv_mask16)fv_join_i16(aligned_0(ref.low, dis.low), aligned_0(ref.high, dis.high));
        for (int band = 0; band < 3; band++) {
            fv_i16 restored = restored_0(o[band], t[band], same, limit, most), additive = t[band] - restored;
            masker[0][band] = masker_0(restored, factor[band], band == 2);
            masker[1][band] = masker_0(additive, factor[band], band == 2);
            FV_STORE((int16_t *)line->weighted[0][band] + x, fv_abs_i16(restored));
            FV_STORE((int16_t *)line->weighted[1][band] + x, fv_abs_i16(additive));
        }
        for (int side = 0; side < 2; side++)
            spread_0(masker[side], line->around[side] + x, line->centre[side] + x);
    }
}

FV_FN fv_f32_half f32_from_i64(fv_i64 x)
{
    return __builtin_convertvector(x, fv_f32_half);
}

FV_FN fv_mask64 aligned(fv_i64 oh, fv_i64 ov, fv_i64 th, fv_i64 tv)
{
    return fv_adm_aligned(f32_from_i64(fv_signed_product(oh, th) + fv_signed_product(ov, tv)),
                          f32_from_i64(fv_signed_product(oh, oh) + fv_signed_product(ov, ov)),
                          f32_from_i64(fv_signed_product(th, th) + fv_signed_product(tv, tv)));
}

/* Lanes of 32 bits from the lower words of two vectors: the even and the odd ones. */
FV_FN fv_i32 lower_words(fv_u64 even, fv_u64 odd)
{
#if defined(__AVX512F__)
    return (fv_i32)_mm512_mask_shuffle_epi32((__m512i)even, 0xaaaa, (__m512i)odd, _MM_PERM_CCAA);
#else
    return (fv_i32)((even & 0xffffffffu) | odd << 32);
#endif
}

/* (a * b + add) >> bits, where the sum fits 63 bits and the result 32. */
FV_FN fv_i32 scaled_product(fv_i32 a, fv_i32 b, fv_i32 add, int bits)
{
    fv_u64 even = fv_product((fv_word)a, (fv_word)b) + ((fv_u64)add & 0xffffffffu);
    fv_u64 odd = fv_product((fv_word)a >> 32, (fv_word)b >> 32) + ((fv_u64)add >> 32);
    return lower_words(even >> bits, odd >> bits);
}

FV_FN fv_i32 with_sign(fv_i32 x, fv_i32 sign)
{
    return (x ^ sign) - sign;
}

/*
 * fv_adm_split and fv_adm_enhance in lanes of 32 bits: what is restored, as a multiple of the sign of o. Magnitudes
 * stay below 2^31 - 2^16. `most` times `limit` does as well, and exceeds them.
 */
FV_FN fv_i32 restored_wide(fv_i32 o, fv_i32 along, fv_i32 sign, fv_mask same, int limit, int most)
{
    const fv_i32 none = fv_splat_i32(0), one = fv_splat_i32(1);
    fv_i32 size = with_sign(o, sign), seen = size | 16384;
    seen &= ~(seen >> 1); /* which the float does not round up to a power of two */
    fv_i32 dropped = (fv_i32)(fv_bits(fv_f32_from_i32(seen)) >> 23) - (127 + 14), unit = one << dropped;
    fv_i32 leading = (size + (unit >> 1)) >> dropped;
    fv_i32 bounded = fv_min_i32(fv_max_i32(along, none), (leading + 1) << dropped);
    fv_u32 share = fv_share((fv_u32)fv_max_i32(leading, one));
    fv_u64 shift[2] = {(fv_u64)dropped & 0xffffffffu, (fv_u64)dropped >> 32}, k[2];
    for (int odd = 0; odd < 2; odd++) {
        fv_u64 scaled = odd ? fv_product((fv_word)share >> 32, (fv_word)bounded >> 32)
                            : fv_product((fv_word)share, (fv_word)bounded);
        k[odd] = (scaled + ((fv_u64)fv_splat_i64(16384) << shift[odd])) >> (shift[odd] + 15);
    }
    fv_i32 share_of_size = fv_min_i32(lower_words(k[0], k[1]), fv_splat_i32(32768));
    fv_i32 restored = scaled_product(share_of_size, size, 16384 + sign, 15);
    fv_i32 enhanced = fv_max_i32(fv_min_i32(fv_min_i32(restored, fv_splat_i32(most)) * limit, along), none);
    return fv_sel_i32(same, enhanced, restored);
}

FV_FN void measure_wide(const FvAdmScale *scale, const FvAdmScratch *scratch, const FvAdmLine *line, int from, int to)
{
    for (int x = from; x < to; x += FV_LANES) {
        fv_i32 o[3], t[3], around[2] = {{0}, {0}}, centre[2] = {{0}, {0}};
        for (int band = 0; band < 3; band++) {
            o[band] = FV_LOAD(fv_i32, scratch->band[0][band] + x);
            t[band] = FV_LOAD(fv_i32, scratch->band[1][band] + x);
        }
        fv_mask64 even = aligned((fv_i64)o[0], (fv_i64)o[1], (fv_i64)t[0], (fv_i64)t[1]);
        fv_mask64 odd = aligned((fv_i64)o[0] >> 32, (fv_i64)o[1] >> 32, (fv_i64)t[0] >> 32, (fv_i64)t[1] >> 32);
        fv_mask same = lower_words((fv_u64)even, (fv_u64)odd);
        for (int band = 0; band < 3; band++) {
            fv_i32 factor = fv_splat_i32(scale->factor[band]), sign = o[band] >> 31;
            fv_i32 along = with_sign(t[band], sign);
            fv_i32 restored = restored_wide(o[band], along, sign, same, scale->limit, INT32_MAX / scale->limit);
            fv_i32 additive = along - restored, flipped = additive >> 31;
            const fv_i32 part[2] = {restored, with_sign(additive, flipped)}, negative[2] = {sign, sign ^ flipped};
            for (int side = 0; side < 2; side++) {
                fv_i32 weighted = scaled_product(factor, part[side], 134217728 + negative[side], 28);
                fv_i32 near = (fv_i32)fv_rounded_high_product((fv_u32)weighted, fv_splat_u32(143165577u)) - 1;
                fv_i32 own = (fv_i32)fv_rounded_high_product((fv_u32)weighted, fv_splat_u32(286331153u)) - 1;
                FV_STORE(line->weighted[side][band] + x, weighted);
                around[side] += near;
                centre[side] += own - near;
            }
        }
        for (int side = 0; side < 2; side++) {
            FV_STORE(line->around[side] + x, around[side]);
            FV_STORE(line->centre[side] + x, centre[side]);
        }
    }
}

static void measure(const FvAdmScale *scale, const FvAdmScratch *scratch, int y)
{
    const FvAdmLine *line = &scratch->line[y % 3];
    int columns = scale->columns, from = (scale->left ? scale->left - 1 : 0) / (2 * FV_LANES) * (2 * FV_LANES);
    int to = scale->right < columns ? scale->right + 1 : columns;
    if (scale->scale == 0)
        measure_0(scale, scratch, line, from, to);
    else
        measure_wide(scale, scratch, line, from, to);
    for (int side = 0; side < 2; side++) {
        if (scale->left == 0)
            line->around[side][-1] = line->around[side][1];
        if (scale->right == columns)
            line->around[side][columns] = line->around[side][columns - 1];
    }
}

/* ---- Sums ---------------------------------------------------------------------------------------------------- */

FV_FN int64_t sum_lanes(fv_u64 v)
{
    uint64_t sum = 0;
    for (int i = 0; i < FV_LANES64; i++)
        sum += v[i];
    return (int64_t)sum;
}

FV_FN int64_t row_rounded(int64_t sum, int bits)
{
    return (int64_t)((uint64_t)sum + ((uint64_t)1 << bits >> 1)) >> bits;
}

#if FV_LANES == 16
#define BEFORE 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define BEHIND 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#elif FV_LANES == 8
#define BEFORE 7, 8, 9, 10, 11, 12, 13, 14
#define BEHIND 1, 2, 3, 4, 5, 6, 7, 8
#else
#define BEFORE 3, 4, 5, 6
#define BEHIND 1, 2, 3, 4
#endif

FV_FN fv_i32 column_sum(const int32_t *const around[3], int x)
{
    return FV_LOAD(fv_i32, around[0] + x) + FV_LOAD(fv_i32, around[1] + x) + FV_LOAD(fv_i32, around[2] + x);
}

FV_FN fv_i32 weighted_at(const FvAdmScale *scale, const int32_t *row, int band, int x, bool first_scale)
{
    if (!first_scale)
        return FV_LOAD(fv_i32, row + x);
    return fv_i32_from_i16(FV_LOAD(fv_i16_half, (const int16_t *)row + x)) * (int32_t)scale->factor[band];
}

/* fv_adm_cube, shifted by lanes, which takes fewer instructions than by a number that is not known beforehand. */
FV_FN fv_u64 cube_of(fv_word excess, int square_bits, fv_u64 half, fv_u64 cube_bits)
{
    fv_word square = (fv_product(excess, excess) + (1u << (square_bits - 1))) >> square_bits;
    return (fv_product(square, excess) + half) >> cube_bits;
}

/* One side of row y. `wraps`: squares may wrap. Returns the bits that occur in excesses. */
FV_FN uint32_t numerators(const FvAdmScale *scale, const FvAdmLine *line, const int32_t *const around[3], int side,
                          bool first_scale, bool wraps, int64_t sums[3])
{
    fv_u64 sum[3] = {{0}, {0}, {0}};
    fv_i32 seen = {0}, lane = fv_lane_index();
    int first = scale->left;
    fv_u64 half[3], shift[3];
    for (int band = 0; band < 3; band++) {
        half[band] = (fv_u64)fv_splat_i64(1u << (scale->cube_bits[band] - 1));
        shift[band] = (fv_u64)fv_splat_i64(scale->cube_bits[band]);
    }
    fv_i32 before = column_sum(around, first - FV_LANES), here = column_sum(around, first);
    for (int x = first; x < scale->right; x += FV_LANES) {
        fv_i32 behind = column_sum(around, x + FV_LANES);
        fv_i32 limit = FV_LOAD(fv_i32, line->centre[1 - side] + x) + here +
                       __builtin_shufflevector(before, here, BEFORE) + __builtin_shufflevector(here, behind, BEHIND);
        fv_i32 counts = lane < scale->right - x;
        before = here;
        here = behind;
        for (int band = 0; band < 3; band++) {
            fv_i32 weighted = weighted_at(scale, line->weighted[side][band], band, x, first_scale);
            fv_i32 excess = fv_adm_excess(weighted, limit, fv_adm_threshold_bits(!first_scale, band)) & counts;
            seen |= excess;
            fv_word even = (fv_word)excess, odd = (fv_word)excess >> 32; /* a product ignores upper halves */
            int square_bits = fv_adm_square_bits(!first_scale, band), cube_bits = scale->cube_bits[band];
            if (wraps)
                sum[band] += (fv_u64)fv_adm_cube_wrapped(even, square_bits, cube_bits) +
                             (fv_u64)fv_adm_cube_wrapped(odd, square_bits, cube_bits);
            else
                sum[band] += cube_of(even, square_bits, half[band], shift[band]) +
                             cube_of(odd, square_bits, half[band], shift[band]);
        }
    }
    for (int band = 0; band < 3; band++)
        sums[band] = row_rounded(sum_lanes(sum[band]), scale->row_bits);
    uint32_t bits = 0;
    for (int i = 0; i < FV_LANES; i++)
        bits |= (uint32_t)seen[i];
    return bits;
}

static void add_numerators(const FvAdmScale *scale, const FvAdmScratch *scratch, int y, FvAdmSums *sums)
{
    int above = y ? y - 1 : 1, below = y + 1 < scale->rows ? y + 1 : y;
    for (int side = 0; side < (scale->impairment ? 2 : 1); side++) {
        const int32_t *const around[3] = {scratch->line[above % 3].around[1 - side],
                                          scratch->line[y % 3].around[1 - side],
                                          scratch->line[below % 3].around[1 - side]};
        const FvAdmLine *line = &scratch->line[y % 3];
        int64_t row[3];
        if (scale->scale == 0) {
            if (numerators(scale, line, around, side, true, false, row) >> 30)
                numerators(scale, line, around, side, true, true, row);
        } else if (numerators(scale, line, around, side, false, false, row) >> 30)
            numerators(scale, line, around, side, false, true, row);
        for (int band = 0; band < 3; band++)
            (side ? sums->additive : sums->restored)[band] += row[band];
    }
}

static void add_detail(const FvAdmScale *scale, const FvAdmScratch *scratch, FvAdmSums *sums)
{
    fv_i32 lane = fv_lane_index();
    for (int band = 0; band < 3; band++) {
        fv_u64 sum = {0};
        for (int x = scale->left; x < scale->right; x += FV_LANES) {
            const int32_t *row = scratch->band[0][band];
            fv_i32 v = scale->scale == 0 ? fv_i32_from_i16(FV_LOAD(fv_i16_half, (const int16_t *)row + x))
                                         : FV_LOAD(fv_i32, row + x);
            v &= lane < scale->right - x;
            fv_word magnitude = (fv_word)fv_sel_i32(v < 0, -v, v), even = magnitude & 0xffffffffu,
                    odd = magnitude >> 32;
            if (scale->scale == 0)
                sum += fv_adm_detail0(even) + fv_adm_detail0(odd);
            else
                sum += fv_adm_detail(even, scale->detail_square_bits, scale->detail_cube_bits) +
                       fv_adm_detail(odd, scale->detail_square_bits, scale->detail_cube_bits);
        }
        uint64_t total = (uint64_t)sum_lanes(sum) + ((uint64_t)1 << scale->detail_row_bits >> 1);
        sums->detail[band] += (int64_t)(total >> scale->detail_row_bits);
    }
}

static void rows(const FvAdmScale *scale, const FvAdmPlane input[2], const FvAdmPlane low[2], int first, int count,
                 void *memory, FvAdmSums *sums)
{
    FvAdmScratch scratch = fv_adm_scratch(scale, memory);
    FvAdmReach reach = fv_adm_reach(scale, first, count);
    *sums = (FvAdmSums){{0}, {0}, {0}};
    for (int y = reach.from; y < reach.to; y++) {
        bool measured = y >= reach.top - 1 && y <= reach.bottom;
        for (int picture = 0; picture < 2; picture++) {
            uint8_t *low_row = (uint8_t *)low[picture].data + y * low[picture].stride;
            bool kept = y >= first && y < first + count;
            wavelet(scale, &input[picture], y, measured ? 2 : 1, &scratch, scratch.band[picture],
                    kept ? low_row : NULL);
        }
        if (!measured)
            continue;
        measure(scale, &scratch, y);
        if (y >= reach.top && y < reach.bottom)
            add_detail(scale, &scratch, sums);
        if (y > reach.top)
            add_numerators(scale, &scratch, y - 1, sums);
    }
    if (reach.top < reach.bottom && reach.bottom == scale->rows)
        add_numerators(scale, &scratch, reach.bottom - 1, sums);
}

const FvAdmKernels FV_ISA_STRUCT(fv_adm_kernels) = {.rows = rows};
