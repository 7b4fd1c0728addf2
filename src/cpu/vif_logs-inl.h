/*
 * Logarithms of VIF for one instruction set. The table has 64 KiB, more than a first cache holds. Where a vector has
 * 16 lanes they are computed: the four leading bits below the first choose a cubic, in units of 2^-17, which the next
 * eleven enter. Rounded down it is the table's entry, for each of the 32768 (tests/parity/vif.c).
 */
#ifndef FV_CPU_VIF_LOGS_INL_H
#define FV_CPU_VIF_LOGS_INL_H

#include "cpu/simd.h"

#include "arith/vif.h"

#if defined(__AVX512F__)

/* clang-format off */
static const float log_slope[16] = {
    11818.3945f, 11123.2197f, 10505.2812f, 9952.38574f, 9454.77832f, 9004.55859f, 8595.26758f, 8221.56641f,
    7879.00537f, 7563.84863f, 7272.93408f, 7003.56885f, 6753.44336f, 6520.56787f, 6303.2168f, 6099.88867f,
};
static const float log_square[16] = {
    -0.179934055f, -0.159427091f, -0.142234504f, -0.127678975f, -0.115247734f, -0.104546793f,
    -0.0952694118f, -0.0871739239f, -0.0800678208f, -0.0737962648f, -0.0682335272f, -0.0632767156f,
    -0.0588409342f, -0.0548556559f, -0.0512618832f, -0.0480099805f,
};
static const float log_cube[16] = {
    3.34741753e-06f, 2.80556219e-06f, 2.37462768e-06f, 2.0276218e-06f, 1.74506715e-06f, 1.51266772e-06f,
    1.3197706e-06f, 1.15832688e-06f, 1.02217791e-06f, 9.06557489e-07f, 8.07737763e-07f, 7.22774587e-07f,
    6.49321862e-07f, 5.8549449e-07f, 5.29766112e-07f, 4.80891742e-07f,
};
static const int32_t log_base[16] = {
    65684, 23543826, 45679558, 66618205, 86482526, 105377549, 123393382, 140608268,
    157090405, 172899549, 188088579, 202704225, 216788368, 230378209, 243507270, 256205828,
};
/* clang-format on */

FV_FN fv_i32 look_up(const uint16_t *logs, fv_u32 high_word)
{
    (void)logs;
    __m512i segment = (__m512i)(high_word >> 16); /* whose four last bits choose */
    __m512 at = _mm512_cvtepi32_ps((__m512i)(high_word >> 5 & 0x7ffu));
    __m512 sum = _mm512_permutexvar_ps(segment, _mm512_loadu_ps(log_cube));
    sum = _mm512_fmadd_ps(sum, at, _mm512_permutexvar_ps(segment, _mm512_loadu_ps(log_square)));
    sum = _mm512_fmadd_ps(sum, at, _mm512_permutexvar_ps(segment, _mm512_loadu_ps(log_slope)));
    fv_i32 rise = (fv_i32)_mm512_cvtps_epi32(_mm512_mul_ps(sum, at));
    return (rise + (fv_i32)_mm512_permutexvar_epi32(segment, _mm512_loadu_si512(log_base))) >> 17;
}

#else

FV_FN fv_i32 look_up(const uint16_t *logs, fv_u32 high_word)
{
    fv_u32 index = high_word >> 5 & 0x7fffu;
#if defined(__AVX2__)
    return (fv_i32)_mm256_i32gather_epi32((const int *)logs, (__m256i)index, 2) & 0xffff;
#else
    return (fv_i32){logs[index[0]], logs[index[1]], logs[index[2]], logs[index[3]]};
#endif
}

#endif

/* In units of 1/2048, less that of 2^17. */
FV_FN fv_i32 log_of(const uint16_t *logs, fv_u32 high_word)
{
    return look_up(logs, high_word) + (fv_i32)(high_word >> 20 << 11) - 2048 * (1023 + 17);
}

#endif
