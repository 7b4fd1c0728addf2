/*
 * Logarithms of VIF for one instruction set. The table takes 64 KiB, more than a first-level cache holds. So vectors
 * of 16 lanes compute logarithms instead: the four bits below the leading one choose a cubic polynomial of the next
 * eleven bits, with a result in units of 2^-17. The result, rounded down, equals the table's entry for all 32768
 * (tests/parity/vif.c).
 */
#pragma once

#include "cpu/simd.h"

#include "arith/vif.h"

#if defined(__AVX512F__)

/* clang-format off */
static const float log_slope[16] = {
    387265152.0f, 364485664.0f, 344237056.0f, 326119776.0f, 309814176.0f, 295061376.0f, 281649728.0f, 269404288.0f,
    258179248.0f, 247852192.0f, 238319504.0f, 229492944.0f, 221296832.0f, 213665968.0f, 206543808.0f, 199881152.0f,
};
static const float log_square[16] = {
    -193202720.0f, -171183536.0f, -152723136.0f, -137094256.0f, -123746312.0f, -112256264.0f, -102294752.0f,
    -93602288.0f, -85972168.0f, -79238136.0f, -73265192.0f, -67942856.0f, -63179972.0f, -58900812.0f, -55042028.0f,
    -51550324.0f,
};
static const float log_cube[16] = {
    117776784.0f, 98711944.0f, 83549784.0f, 71340600.0f, 61399092.0f, 53222264.0f, 46435300.0f, 40755004.0f,
    35964688.0f, 31896656.0f, 28419746.0f, 25430370.0f, 22845982.0f, 20600256.0f, 18639488.0f, 16919874.0f,
};
static const int32_t log_base[16] = {
    65684, 23543826, 45679558, 66618205, 86482526, 105377549, 123393382, 140608268,
    157090405, 172899549, 188088579, 202704225, 216788368, 230378209, 243507270, 256205828,
};
/* clang-format on */

/*
 * Returns the logarithm in units of 1/2048, less the logarithm of 2^17. A float that is rounded down has all the bits
 * that count: the segment in the top four bits of the fraction, and the position inside it in the next eleven, which
 * become a float in [0, 1/16).
 */
FV_FN fv_i32 log_of(const uint16_t *logs, fv_u32 number)
{
    __m512i bits = (__m512i)_mm512_cvt_roundepu32_ps((__m512i)number, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m512i segment = _mm512_srli_epi32(bits, 19); /* the lowest four bits choose the segment */
    __m512i place = _mm512_and_si512(bits, _mm512_set1_epi32(0x0007ff00));
    __m512 at = _mm512_sub_ps((__m512)_mm512_or_si512(place, _mm512_set1_epi32(0x3f800000)), _mm512_set1_ps(1));
    __m512 sum = _mm512_permutexvar_ps(segment, _mm512_loadu_ps(log_cube));
    sum = _mm512_fmadd_ps(sum, at, _mm512_permutexvar_ps(segment, _mm512_loadu_ps(log_square)));
    sum = _mm512_fmadd_ps(sum, at, _mm512_permutexvar_ps(segment, _mm512_loadu_ps(log_slope)));
    fv_i32 rise = (fv_i32)_mm512_cvtps_epi32(_mm512_mul_ps(sum, at));
    fv_i32 power = (fv_i32)((fv_u32)bits >> 12 & 0xfffff800u) - 2048 * (127 + 17);
    return ((rise + (fv_i32)_mm512_permutexvar_epi32(segment, _mm512_loadu_si512(log_base))) >> 17) + power;
}

#else

/* Returns the table's index of each number. high_word: the upper word of the number as a double. */
FV_FN fv_u32 log_index(fv_u32 high_word)
{
    return high_word >> 5 & 0x7fffu;
}

/* Returns the sum of the table's entries. Plain loads are faster than a gather, and the sum needs no lanes. */
FV_FN int32_t sum_of_entries(const uint16_t *logs, fv_u32 high_word)
{
    const fv_u64 index = (fv_u64)log_index(high_word);
    int32_t sum = 0;
    for (int k = 0; k < FV_LANES / 2; k++)
        sum += logs[(uint32_t)index[k]] + logs[index[k] >> 32];
    return sum;
}

/* Returns 2048 times the logarithm of the number's leading power of two, less the logarithm of 2^17. */
FV_FN fv_i32 log_power(fv_u32 high_word)
{
    return (fv_i32)(high_word >> 20 << 11) - 2048 * (1023 + 17);
}

FV_FN fv_i32 look_up(const uint16_t *logs, fv_u32 high_word)
{
    fv_u32 index = log_index(high_word);
#if defined(__AVX2__)
    return (fv_i32)_mm256_i32gather_epi32((const int *)logs, (__m256i)index, 2) & 0xffff;
#else
    return (fv_i32){logs[index[0]], logs[index[1]], logs[index[2]], logs[index[3]]};
#endif
}

FV_FN fv_i32 log_of(const uint16_t *logs, fv_u32 number)
{
    fv_f64 even = fv_f64_from_word((fv_u64)number & 0xffffffffu), odd = fv_f64_from_word((fv_u64)number >> 32);
    const fv_u32 high = (fv_u32)((fv_u64)even >> 32 | ((fv_u64)odd & 0xffffffff00000000u));
    return look_up(logs, high) + log_power(high);
}

#endif
