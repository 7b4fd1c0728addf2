/* Operations on lanes of bytes that most instruction sets have as one instruction. */
#pragma once

#include "cpu/simd.h"

FV_TWO_OPERANDS(fv_u8, fv_min_u8, min_epu8, wasm_u8x16_min, vminq_u8, uint8x16_t)

/* Returns by how much a exceeds b, or 0. */
FV_TWO_OPERANDS(fv_u8, fv_excess_u8, subs_epu8, wasm_u8x16_sub_sat, vqsubq_u8, uint8x16_t)

/* Returns |a - b|. */
FV_FN fv_u8 fv_distance_u8(fv_u8 a, fv_u8 b)
{
    return fv_excess_u8(a, b) | fv_excess_u8(b, a);
}

/* floor((a + b + 1) / 2) */
FV_TWO_OPERANDS(fv_u8, fv_mean_u8, avg_epu8, wasm_u8x16_avgr, vrhaddq_u8, uint8x16_t)

/* Returns the sums of |a - b| over each eight lanes. */
FV_FN fv_u64 fv_distances_u8(fv_u8 a, fv_u8 b)
{
#if defined(__SSE2__)
    return (fv_u64)FV_X86(sad_epu8)((fv_x86i)a, (fv_x86i)b);
#elif defined(__wasm_simd128__)
    const fv_u64 two =
        (fv_u64)wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16((v128_t)fv_distance_u8(a, b)));
    return (two & 0xffffffffu) + (two >> 32);
#else
    return (fv_u64)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vabdq_u8((uint8x16_t)a, (uint8x16_t)b))));
#endif
}

/* Returns whether any bit of any lane is set. */
FV_FN int fv_any_u8(fv_u8 v)
{
#if defined(__AVX512BW__)
    return _mm512_test_epi8_mask((__m512i)v, (__m512i)v) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined(__SSE2__)
    return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_setzero_si128())) != 0xffff;
#elif defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)v);
#else
    return vmaxvq_u8((uint8x16_t)v) != 0;
#endif
}
