/*
 * Computes VIF's gains from means, for one instruction set: how much of the reference's signal is in the distorted
 * frame, as sums of logarithms.
 */
#pragma once

#include "cpu/vif.h"
#include "cpu/vif_logs-inl.h"

/* Sums per lane. A strip of a band of rows is too small to overflow them. */
typedef struct Totals {
    fv_i32 numerator[2], denominator; /* numerators for both limits */
    int32_t entries[2], reference;    /* sums of the table's entries, of all lanes; not with AVX-512 */
    fv_u32 flat_low, flat_high;       /* sums of the lower and of the upper 16 bits of each variance */
    fv_i32 flat;                      /* minus the number of flat samples */
} Totals;

#if defined(__AVX512F__)

/* Returns the even (odd 0) or the odd lanes as 64-bit floats; all are nonnegative. */
FV_FN fv_f64 widened(fv_i32 x, int odd)
{
    const __m512i power = _mm512_set1_epi32(0x43300000); /* 2^52 + x holds x in its low word */
    __m512i bits = odd ? _mm512_mask_shuffle_epi32(power, 0x5555, (__m512i)x, _MM_PERM_DDBB)
                       : _mm512_mask_mov_epi32(power, 0x5555, (__m512i)x);
    return (fv_f64)bits - 4503599627370496.0;
}

/* Returns the integer parts of the even and odd lanes in their original order. */
FV_FN fv_u32 whole_words(fv_f64 even, fv_f64 odd)
{
    const __m512d unit = _mm512_set1_pd(4503599627370496.0);
    __m512i low = (__m512i)_mm512_add_round_pd((__m512d)even, unit, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m512i high = (__m512i)_mm512_add_round_pd((__m512d)odd, unit, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    return (fv_u32)_mm512_mask_shuffle_epi32(low, 0xaaaa, high, _MM_PERM_CCAA);
}

/*
 * Adds the lanes in `textured`. The other lanes hold arbitrary numbers, which do no harm. Variances are below 2^30,
 * so the sum of signal and noise stays below 2^32.
 */
FV_FN void add_textured(Totals *totals, fv_i32 ref, fv_i32 dis, fv_i32 both, __mmask16 textured, const uint16_t *logs,
                        fv_f64 limit, fv_f64 second, bool two)
{
    const __m512i none = _mm512_setzero_si512();
    __mmask16 similar = _mm512_mask_cmpgt_epi32_mask(textured, (__m512i)both, none);
    similar = _mm512_mask_cmpgt_epi32_mask(similar, (__m512i)dis, none);
    fv_f64 rest[2], signal[2], gain[2], variance[2];
    for (int odd = 0; odd < 2; odd++) {
        fv_f64 covariance = widened(both, odd);
        variance[odd] = widened(ref, odd);
        gain[odd] = fv_vif_gain(variance[odd], covariance);
        rest[odd] = fv_vif_rest(widened(dis, odd), gain[odd], covariance);
        signal[odd] = fv_vif_signal(gain[odd], limit, variance[odd]);
    }
    fv_u32 noise = whole_words(rest[0], rest[1]) + FV_VIF_NOISE, total = whole_words(signal[0], signal[1]) + noise;
    fv_i32 lost = log_of(logs, noise), gained = log_of(logs, total) - lost;
    __m512i reference = (__m512i)log_of(logs, (fv_u32)ref + FV_VIF_NOISE);
    totals->numerator[0] = (fv_i32)_mm512_mask_add_epi32((__m512i)totals->numerator[0], similar,
                                                         (__m512i)totals->numerator[0], (__m512i)gained);
    if (two) {
        for (int odd = 0; odd < 2; odd++)
            signal[odd] = fv_vif_signal(gain[odd], second, variance[odd]);
        gained = log_of(logs, whole_words(signal[0], signal[1]) + noise) - lost;
        totals->numerator[1] = (fv_i32)_mm512_mask_add_epi32((__m512i)totals->numerator[1], similar,
                                                             (__m512i)totals->numerator[1], (__m512i)gained);
    }
    totals->denominator = (fv_i32)_mm512_mask_add_epi32((__m512i)totals->denominator, textured,
                                                        (__m512i)totals->denominator, reference);
}

FV_FN void add_samples(Totals *totals, fv_u32 ref_ref, fv_u32 dis_dis, fv_u32 ref_dis, fv_u32 ref, fv_u32 dis,
                       fv_mask count, const uint16_t *logs, fv_f64 limit, fv_f64 second, bool two)
{
    fv_i32 ref_variance = fv_vif_covariance(ref_ref, ref, ref);
    fv_i32 dis_variance = fv_max_i32(fv_vif_covariance(dis_dis, dis, dis), fv_splat_i32(0));
    fv_i32 covariance = fv_vif_covariance(ref_dis, ref, dis);
    __mmask16 counts = _mm512_movepi32_mask((__m512i)count);
    __mmask16 textured = _mm512_mask_cmpge_epi32_mask(counts, (__m512i)ref_variance, _mm512_set1_epi32(FV_VIF_NOISE));
    __mmask16 flat = _mm512_kandn(textured, counts);
    if (flat) {
        fv_u32 variance = (fv_u32)_mm512_maskz_mov_epi32(flat, (__m512i)dis_variance);
        totals->flat_low += variance & 0xffffu;
        totals->flat_high += variance >> 16;
        totals->flat += (fv_i32)_mm512_movm_epi32(flat);
    }
    if (textured)
        add_textured(totals, ref_variance, dis_variance, covariance, textured, logs, limit, second, two);
}

#else

/* Returns the even (odd 0) or the odd lanes as 64-bit floats; all are nonnegative. */
FV_FN fv_f64 widened(fv_i32 x, int odd)
{
    return fv_f64_from_word(odd ? (fv_u64)x >> 32 : (fv_u64)x & 0xffffffffu);
}

/* Returns the upper words of the even and odd lanes in their original order. */
FV_FN fv_u32 high_words(fv_f64 even, fv_f64 odd)
{
    return (fv_u32)((fv_u64)even >> 32 | ((fv_u64)odd & 0xffffffff00000000u));
}

FV_FN void add_textured(Totals *totals, fv_i32 ref, fv_i32 dis, fv_i32 both, fv_mask textured, const uint16_t *logs,
                        fv_f64 limit, fv_f64 second, bool two)
{
    fv_mask similar = textured & (both > 0) & (dis > 0);
    fv_f64 variance[2], noise[2], total[2], gain[2];
    ref = fv_sel_i32(textured, ref, fv_splat_i32(FV_VIF_NOISE));
    both = fv_sel_i32(similar, both, fv_splat_i32(0));
    for (int odd = 0; odd < 2; odd++) {
        fv_f64 covariance = widened(both, odd);
        variance[odd] = widened(ref, odd);
        gain[odd] = fv_vif_gain(variance[odd], covariance);
        noise[odd] = fv_vif_noise(widened(dis, odd), gain[odd], covariance);
        total[odd] = fv_vif_total(gain[odd], limit, variance[odd], noise[odd]);
    }
    /* Lanes that do not count have the index 0, whose entry is 0. */
    fv_u32 word = high_words(variance[0] + (double)FV_VIF_NOISE, variance[1] + (double)FV_VIF_NOISE);
    totals->denominator += log_power(word) & textured;
    totals->reference += sum_of_entries(logs, word);
    const fv_u32 lost = high_words(noise[0], noise[1]) & (fv_u32)similar;
    const int32_t lost_entries = sum_of_entries(logs, lost);
    word = high_words(total[0], total[1]) & (fv_u32)similar;
    totals->numerator[0] += log_power(word) - log_power(lost);
    totals->entries[0] += sum_of_entries(logs, word) - lost_entries;
    if (two) {
        for (int odd = 0; odd < 2; odd++)
            total[odd] = fv_vif_total(gain[odd], second, variance[odd], noise[odd]);
        word = high_words(total[0], total[1]) & (fv_u32)similar;
        totals->numerator[1] += log_power(word) - log_power(lost);
        totals->entries[1] += sum_of_entries(logs, word) - lost_entries;
    }
}

FV_FN void add_samples(Totals *totals, fv_u32 ref_ref, fv_u32 dis_dis, fv_u32 ref_dis, fv_u32 ref, fv_u32 dis,
                       fv_mask count, const uint16_t *logs, fv_f64 limit, fv_f64 second, bool two)
{
    fv_i32 ref_variance = fv_vif_covariance(ref_ref, ref, ref);
    fv_i32 dis_variance = fv_max_i32(fv_vif_covariance(dis_dis, dis, dis), fv_splat_i32(0));
    fv_i32 covariance = fv_vif_covariance(ref_dis, ref, dis);
    fv_mask textured = count & (ref_variance >= FV_VIF_NOISE), flat = count & ~textured;
    fv_u32 flat_variance = (fv_u32)(dis_variance & flat);
    totals->flat_low += flat_variance & 0xffffu;
    totals->flat_high += flat_variance >> 16;
    totals->flat += flat;
    if (fv_any(textured))
        add_textured(totals, ref_variance, dis_variance, covariance, textured, logs, limit, second, two);
}

#endif

static void collect(const Totals *totals, FvVifSums *sums)
{
    sums->numerator[0] += totals->entries[0];
    sums->numerator[1] += totals->entries[1];
    sums->denominator += totals->reference;
    for (int i = 0; i < FV_LANES; i++) {
        sums->numerator[0] += totals->numerator[0][i];
        sums->numerator[1] += totals->numerator[1][i];
        sums->denominator += totals->denominator[i];
        sums->flat_variance += totals->flat_low[i] + ((int64_t)totals->flat_high[i] << 16);
        sums->flat -= totals->flat[i];
    }
}
