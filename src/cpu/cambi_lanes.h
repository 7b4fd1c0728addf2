/* Vector functions that only CAMBI needs. */
#pragma once

#include "cpu/simd.h"

/* Returns a bit mask with one bit per lane of `truth`. */
FV_FN uint32_t bits_of(fv_i32 truth)
{
#if defined(__AVX512F__)
    return _mm512_movepi32_mask((__m512i)truth);
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)truth);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)truth);
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i32x4_bitmask((v128_t)truth);
#else
    const uint32x4_t place = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32((uint32x4_t)truth, place));
#endif
}

FV_FN fv_f64 widen_low(fv_f32 x)
{
#if defined(__AVX512F__)
    return (fv_f64)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x));
#elif defined(__AVX2__)
    return (fv_f64)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)x));
#else
    return (fv_f64){x[0], x[1]};
#endif
}

FV_FN fv_f64 widen_high(fv_f32 x)
{
#if defined(__AVX512F__)
    return (fv_f64)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)x, 1));
#elif defined(__AVX2__)
    return (fv_f64)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)x, 1));
#else
    return (fv_f64){x[2], x[3]};
#endif
}
