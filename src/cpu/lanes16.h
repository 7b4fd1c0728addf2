/*
 * Operations on 16-bit lanes that most instruction sets have as one instruction, for the few kernels that need them.
 */
#pragma once

#include "cpu/simd.h"

/* Returns |x|; for -2^15 the result has the bits of unsigned 2^15. */
FV_FN fv_i16 fv_abs_i16(fv_i16 x)
{
#if defined(__AVX2__)
    return (fv_i16)FV_X86(abs_epi16)((fv_x86i)x);
#else
    return fv_max_i16(x, -x);
#endif
}

/* floor(a * b / 2^16) */
FV_FN fv_i16 fv_high_i16(fv_i16 a, fv_i16 b)
{
#if defined(__SSE2__)
    return (fv_i16)FV_X86(mulhi_epi16)((fv_x86i)a, (fv_x86i)b);
#elif defined(__wasm_simd128__)
    return __builtin_shufflevector((fv_i16)wasm_i32x4_extmul_low_i16x8((v128_t)a, (v128_t)b),
                                   (fv_i16)wasm_i32x4_extmul_high_i16x8((v128_t)a, (v128_t)b), 1, 3, 5, 7, 9, 11, 13,
                                   15);
#else
    int16x8_t m = (int16x8_t)a, n = (int16x8_t)b;
    return (fv_i16)vuzp2q_s16((int16x8_t)vmull_s16(vget_low_s16(m), vget_low_s16(n)),
                              (int16x8_t)vmull_high_s16(m, n));
#endif
}

FV_FN fv_u16 fv_high_u16(fv_u16 a, fv_u16 b)
{
#if defined(__SSE2__)
    return (fv_u16)FV_X86(mulhi_epu16)((fv_x86i)a, (fv_x86i)b);
#elif defined(__wasm_simd128__)
    return __builtin_shufflevector((fv_u16)wasm_u32x4_extmul_low_u16x8((v128_t)a, (v128_t)b),
                                   (fv_u16)wasm_u32x4_extmul_high_u16x8((v128_t)a, (v128_t)b), 1, 3, 5, 7, 9, 11, 13,
                                   15);
#else
    uint16x8_t m = (uint16x8_t)a, n = (uint16x8_t)b;
    return (fv_u16)vuzp2q_u16((uint16x8_t)vmull_u16(vget_low_u16(m), vget_low_u16(n)),
                              (uint16x8_t)vmull_high_u16(m, n));
#endif
}

/*
 * fv_lower_words() returns the lower 16 bits of the 32-bit lanes of a and b, alternating between them;
 * fv_upper_words() returns the upper 16 bits.
 */
FV_FN fv_i16 fv_lower_words(fv_i16 a, fv_i16 b)
{
#if defined(__ARM_NEON)
    return (fv_i16)vtrn1q_s16((int16x8_t)a, (int16x8_t)b);
#elif defined(__AVX512BW__)
    return (fv_i16)_mm512_mask_blend_epi16(0xaaaaaaaa, (__m512i)a, _mm512_slli_epi32((__m512i)b, 16));
#elif defined(__AVX2__)
    return (fv_i16)_mm256_blend_epi16((__m256i)a, _mm256_slli_epi32((__m256i)b, 16), 0xaa);
#else
    return (fv_i16)(((fv_u32)a & 0xffff) | (fv_u32)b << 16);
#endif
}

FV_FN fv_i16 fv_upper_words(fv_i16 a, fv_i16 b)
{
#if defined(__ARM_NEON)
    return (fv_i16)vtrn2q_s16((int16x8_t)a, (int16x8_t)b);
#elif defined(__AVX512BW__)
    return (fv_i16)_mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32((__m512i)a, 16), (__m512i)b);
#elif defined(__AVX2__)
    return (fv_i16)_mm256_blend_epi16(_mm256_srli_epi32((__m256i)a, 16), (__m256i)b, 0xaa);
#else
    return (fv_i16)((fv_u32)a >> 16 | ((fv_u32)b & 0xffff0000));
#endif
}
