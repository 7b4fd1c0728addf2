/* Lanes of 16 bits: words that one instruction has on most sets, for few kernels. */
#ifndef FV_CPU_WORDS_H
#define FV_CPU_WORDS_H

#include "cpu/simd.h"

/* 2^15 for -2^15, as bits. */
FV_FN fv_i16 fv_abs_i16(fv_i16 x)
{
#if defined(__AVX512BW__)
    return (fv_i16)_mm512_abs_epi16((__m512i)x);
#elif defined(__AVX2__)
    return (fv_i16)_mm256_abs_epi16((__m256i)x);
#else
    return fv_max_i16(x, -x);
#endif
}

/* floor(a * b / 2^16) */
FV_FN fv_i16 fv_high_i16(fv_i16 a, fv_i16 b)
{
#if defined(__AVX512BW__)
    return (fv_i16)_mm512_mulhi_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (fv_i16)_mm256_mulhi_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (fv_i16)_mm_mulhi_epi16((__m128i)a, (__m128i)b);
#else
    int16x8_t m = (int16x8_t)a, n = (int16x8_t)b;
    return (fv_i16)vuzp2q_s16((int16x8_t)vmull_s16(vget_low_s16(m), vget_low_s16(n)),
                              (int16x8_t)vmull_high_s16(m, n));
#endif
}

FV_FN fv_u16 fv_high_u16(fv_u16 a, fv_u16 b)
{
#if defined(__AVX512BW__)
    return (fv_u16)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (fv_u16)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (fv_u16)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
    uint16x8_t m = (uint16x8_t)a, n = (uint16x8_t)b;
    return (fv_u16)vuzp2q_u16((uint16x8_t)vmull_u16(vget_low_u16(m), vget_low_u16(n)),
                              (uint16x8_t)vmull_high_u16(m, n));
#endif
}

#endif
