/*
 * A row of ADM's coefficients for one instruction set: splits them into a restored and an additive part, and weights
 * both with the contrast sensitivity.
 */
#pragma once

#include "cpu/adm_wavelet-inl.h"
#include "cpu/lanes16.h"
#include "cpu/wide.h"

typedef union MaskHalves {
    fv_i32 whole;
    Half32 half[2];
} MaskHalves;

FV_FN fv_mask aligned_exactly(fv_f32 inner_product, fv_f32 ref_square, fv_f32 dis_square)
{
    FvHalves inner = {inner_product}, ref = {ref_square}, dis = {dis_square};
    MaskHalves result;
    for (int i = 0; i < 2; i++)
        result.half[i] = __builtin_convertvector(fv_adm_aligned(inner.half[i], ref.half[i], dis.half[i]), Half32);
    return result.whole;
}

/* Returns fv_adm_aligned() for scale 0; o and t hold the coefficients h and v of a column in neighbouring lanes. */
FV_FN fv_mask aligned_0(fv_i16 o, fv_i16 t)
{
    fv_f32 inner = fv_f32_from_i32(fv_madd_i16(o, t)), ref = fv_f32_from_i32(fv_madd_i16(o, o));
    fv_f32 dis = fv_f32_from_i32(fv_madd_i16(t, t));
    FvAdmGuess guess = fv_adm_guess_aligned(inner, ref, dis, FV_ADM_ERROR);
    return fv_any(guess.near) ? aligned_exactly(inner, ref, dis) : guess.same;
}

/* Returns -k of fv_adm_split0(); any number below -2^15 means k = 1. */
FV_FN fv_i32 minus_k(fv_i16 size, fv_i16 bounded)
{
    return (fv_i32)(16383u - fv_share((fv_u32)size) * (fv_u32)bounded) >> 15;
}

/*
 * fv_adm_split0() and fv_adm_enhance0() in 16-bit lanes: returns the restored part, with the sign of o. The wavelet's
 * results have magnitudes of at most 22930. The formulas round the magnitude by a rule that depends on the sign;
 * rounding the signed product half up gives the same result. `most` is a bound on the restored part for which most *
 * limit fits 16 bits and exceeds all magnitudes.
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

/* An unsigned 16-bit factor for signed multiplications, which read it 2^16 too small if its top bit is set. */
typedef struct Factor0 {
    fv_i16 rest, whole; /* the factor as a signed number, and a mask of the lanes to which 2^16 times the operand must
                           be added */
} Factor0;

FV_FN Factor0 factor_0(uint32_t factor, int diagonal)
{
    bool large = factor >> 15;
    return (Factor0){fv_splat_i16((int16_t)(diagonal ? factor : factor & 0x7fff)), fv_splat_i16(large ? -1 : 0)};
}

/* Returns fv_adm_masker0() of a signed part. */
FV_FN fv_i16 masker_0(fv_i16 part, Factor0 factor, int diagonal)
{
    if (!diagonal)
        return fv_abs_i16(fv_mulhrs_i16(part, factor.rest) + (part & factor.whole));
    fv_i16 half = fv_high_i16(-part, factor.rest) + (-part & factor.whole);
    return fv_abs_i16(fv_mulhrs_i16(half, fv_splat_i16(16384)));
}

/*
 * Writes fv_adm_around0(), and fv_adm_centre0() minus fv_adm_around0(), both summed over the bands. Multiplies by
 * 4369 / 4096 as by 1 + 273 / 4096.
 */
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

/* Writes a line of scale 0: the thresholds, and the magnitudes as 16-bit numbers that are not weighted yet. */
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

/* Returns fv_adm_aligned() of coefficients in 64-bit lanes. */
FV_FN fv_mask64 aligned(fv_i64 oh, fv_i64 ov, fv_i64 th, fv_i64 tv)
{
    return fv_adm_aligned(f32_from_i64(fv_signed_product(oh, th) + fv_signed_product(ov, tv)),
                          f32_from_i64(fv_signed_product(oh, oh) + fv_signed_product(ov, ov)),
                          f32_from_i64(fv_signed_product(th, th) + fv_signed_product(tv, tv)));
}

/* Returns 32-bit lanes in order from the lower halves of two vectors: the even lanes and the odd lanes. */
FV_FN fv_i32 lower_words(fv_u64 even, fv_u64 odd)
{
#if defined(__AVX512F__)
    return (fv_i32)_mm512_mask_shuffle_epi32((__m512i)even, 0xaaaa, (__m512i)odd, _MM_PERM_CCAA);
#else
    return (fv_i32)((even & 0xffffffffu) | odd << 32);
#endif
}

static __attribute__((noinline)) fv_mask aligned_exactly_wide(fv_i32 oh, fv_i32 ov, fv_i32 th, fv_i32 tv)
{
    fv_mask64 even = aligned((fv_i64)oh, (fv_i64)ov, (fv_i64)th, (fv_i64)tv);
    fv_mask64 odd = aligned((fv_i64)oh >> 32, (fv_i64)ov >> 32, (fv_i64)th >> 32, (fv_i64)tv >> 32);
    return lower_words((fv_u64)even, (fv_u64)odd);
}

/* Returns fv_adm_aligned() of 32-bit coefficients by an estimate. Where it is near, 64-bit lanes decide. */
FV_FN fv_mask aligned_wide(const fv_i32 o[3], const fv_i32 t[3])
{
    FvAdmGuess guess = fv_adm_guess_coarse(fv_f32_from_i32(o[0]), fv_f32_from_i32(o[1]), fv_f32_from_i32(t[0]),
                                           fv_f32_from_i32(t[1]));
    return fv_any(guess.near) ? aligned_exactly_wide(o[0], o[1], t[0], t[1]) : guess.same;
}

FV_FN fv_i32 with_sign(fv_i32 x, fv_i32 sign)
{
    return (x ^ sign) - sign;
}

/*
 * Magnitudes of rounded products: size * k / 2^15 with k at most 2^15, and part * factor / 2^28. The signed products
 * are rounded half up.
 */
#if defined(__SSE2__) && !defined(__AVX2__)
/* Returns (a * b + add) >> bits. The sum must fit 63 bits and the result 32 bits. */
FV_FN fv_i32 scaled_product(fv_i32 a, fv_i32 b, fv_i32 add, int bits)
{
    fv_u64 even = fv_product((fv_word)a, (fv_word)b) + ((fv_u64)add & 0xffffffffu);
    fv_u64 odd = fv_product((fv_word)a >> 32, (fv_word)b >> 32) + ((fv_u64)add >> 32);
    return lower_words(even >> bits, odd >> bits);
}

FV_FN fv_i32 share_of(fv_i32 size, fv_i32 k, fv_i32 sign)
{
    return scaled_product(k, size, 16384 + sign, 15);
}

FV_FN fv_i32 weighted_wide(fv_i32 factor, fv_i32 part)
{
    fv_i32 sign = part >> 31;
    return scaled_product(factor, with_sign(part, sign), 134217728 + sign, 28);
}
#else
FV_FN fv_i32 share_of(fv_i32 size, fv_i32 k, fv_i32 sign)
{
    return k * (size >> 15) + ((k * (size & 32767) + 16384 + sign) >> 15);
}

FV_FN fv_i32 weighted_wide(fv_i32 factor, fv_i32 part)
{
    fv_u64 even = (fv_u64)fv_signed_product((fv_i64)factor, (fv_i64)part) + 134217728u;
    fv_u64 odd = (fv_u64)fv_signed_product((fv_i64)factor, (fv_i64)((fv_u64)part >> 32)) + 134217728u;
    fv_i32 rounded = lower_words(even >> 28, odd >> 28);
#if defined(__AVX2__)
    return (fv_i32)FV_X86(abs_epi32)((fv_x86i)rounded);
#else
    return with_sign(rounded, rounded >> 31);
#endif
}
#endif

/* A size rounded to its leading bits: number * unit, with number at most 2^15 and unit = 2^dropped. */
typedef struct Leading {
    fv_i32 number, dropped, whole, unit; /* whole: number times unit */
} Leading;

FV_FN Leading leading_of(fv_i32 size)
{
    fv_i32 seen = size | 16384;
    /* Clears the second bit, so that the conversion to float cannot round up to the next power of two. */
    seen &= ~(seen >> 1);
    const fv_u32 power = fv_bits(fv_f32_from_i32(seen));
    Leading lead = {.dropped = (fv_i32)(power >> 23) - (127 + 14)};
#if defined(__wasm_simd128__)
    /* Avoids shifts with a count per lane: floats of a few bits are exact, and 2^23 + n has n in its lowest bits. */
    const fv_u32 up = (power & 0x7f800000u) - (14u << 23);
    const fv_f32 shifter = fv_splat_f32(8388608.0f);
    lead.unit = (fv_i32)(fv_bits(fv_f32_from_bits(up) + shifter) & 0x7fffffu);
    lead.whole = (size + (lead.unit >> 1)) & -lead.unit;
    const fv_f32 number = fv_f32_from_i32(lead.whole) * fv_f32_from_bits((254u << 23) - up);
    lead.number = (fv_i32)(fv_bits(number + shifter) & 0x7fffffu);
#else
    lead.unit = fv_splat_i32(1) << lead.dropped;
    lead.number = (size + (lead.unit >> 1)) >> lead.dropped;
    lead.whole = lead.number << lead.dropped;
#endif
    return lead;
}

/*
 * fv_adm_split() and fv_adm_enhance() in lanes of 32 bits: returns the restored part times the sign of o. Magnitudes
 * stay below 2^31 - 2^16. `most` bounds the restored part: most * limit is below 2^31 and exceeds all magnitudes.
 */
FV_FN fv_i32 restored_wide(fv_i32 o, fv_i32 along, fv_i32 sign, fv_mask same, int limit, int most)
{
    const fv_i32 none = fv_splat_i32(0), one = fv_splat_i32(1);
    fv_i32 size = with_sign(o, sign);
    const Leading lead = leading_of(size);
    fv_i32 bounded = fv_min_i32(fv_max_i32(along, none), lead.whole + lead.unit), shift = lead.dropped + 14;
    fv_u32 share = fv_share((fv_u32)fv_max_i32(lead.number, one));
    fv_u64 even = fv_product((fv_word)share, (fv_word)bounded) >> ((fv_u64)shift & 0xffffffffu);
    fv_u64 odd = fv_product((fv_word)share >> 32, (fv_word)bounded >> 32) >> ((fv_u64)shift >> 32);
    fv_i32 k = fv_min_i32((lower_words(even, odd) + 1) >> 1, fv_splat_i32(32768));
    fv_i32 restored = share_of(size, k, sign);
    fv_i32 enhanced = fv_max_i32(fv_min_i32(fv_min_i32(restored, fv_splat_i32(most)) * limit, along), none);
    return fv_sel_i32(same, enhanced, restored);
}

FV_FN void measure_wide(const FvAdmScale *scale, const FvAdmScratch *scratch, const FvAdmLine *line, int from, int to)
{
    const int limit = scale->limit, most = INT32_MAX / limit;
    const fv_i32 factor[3] = {fv_splat_i32(scale->factor[0]), fv_splat_i32(scale->factor[1]),
                              fv_splat_i32(scale->factor[2])};
    for (int x = from; x < to; x += FV_LANES) {
        /* around, centre: sums over the bands of fv_adm_around() + 1 and of fv_adm_centre() + 1, for both parts. */
        fv_i32 o[3], t[3], around[2] = {{0}, {0}}, centre[2] = {{0}, {0}};
        for (int band = 0; band < 3; band++) {
            o[band] = FV_LOAD(fv_i32, scratch->band[0][band] + x);
            t[band] = FV_LOAD(fv_i32, scratch->band[1][band] + x);
        }
        fv_mask same = aligned_wide(o, t);
        FV_UNROLL
        for (int band = 0; band < 3; band++) {
            fv_i32 sign = o[band] >> 31;
            fv_i32 size = restored_wide(o[band], with_sign(t[band], sign), sign, same, limit, most);
            fv_i32 restored = with_sign(size, sign);
            const fv_i32 part[2] = {restored, t[band] - restored};
            for (int side = 0; side < 2; side++) {
                fv_i32 weighted = weighted_wide(factor[band], part[side]);
                around[side] += (fv_i32)fv_rounded_high_product((fv_u32)weighted, fv_splat_u32(143165577u));
                centre[side] += (fv_i32)fv_rounded_high_product((fv_u32)weighted, fv_splat_u32(286331153u));
                FV_STORE(line->weighted[side][band] + x, weighted);
            }
        }
        for (int side = 0; side < 2; side++) {
            FV_STORE(line->around[side] + x, around[side] - 3);
            FV_STORE(line->centre[side] + x, centre[side] - around[side]);
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
