/*
 * FV_NEIGHBOURS loads two neighbouring floats of a table for each lane: first = at[0] and second = at[1] of
 * at = table + index * step floats, where step is 1 or 2. It is a macro because a gather instruction needs its step
 * as a constant.
 */
#pragma once

#include "cpu/simd.h"

#if defined(__AVX512F__)
/* One 64-bit gather loads both floats. */
#define FV_NEIGHBOURS(table, index, step, first, second)                                                             \
    do {                                                                                                             \
        const __m512i even_ = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);          \
        const __m512i index_ = (__m512i)(index);                                                                     \
        __m512 low_ = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_castsi512_si256(index_), (table), 4 * (step)));    \
        __m512 high_ =                                                                                               \
            _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_extracti64x4_epi64(index_, 1), (table), 4 * (step)));        \
        (first) = (fv_f32)_mm512_permutex2var_ps(low_, even_, high_);                                                \
        (second) = (fv_f32)_mm512_permutex2var_ps(low_, _mm512_add_epi32(even_, _mm512_set1_epi32(1)), high_);       \
    } while (0)
#elif defined(__AVX2__)
/* One plain 64-bit load gets both floats: on many processors this takes half the time of a gather. */
#define FV_NEIGHBOURS(table, index, step, first, second)                                                             \
    do {                                                                                                             \
        const float *table_ = (const float *)(table);                                                                \
        const fv_u64 two_ = (fv_u64)(index); /* two indices in each lane */                                          \
        __m128i at_[FV_LANES / 2];                                                                                   \
        for (int k_ = 0; k_ < FV_LANES / 2; k_++)                                                                    \
            at_[k_] = _mm_set_epi64x(FV_LOAD(int64_t, table_ + (two_[k_] >> 32) * (step)),                           \
                                     FV_LOAD(int64_t, table_ + (uint64_t)(uint32_t)two_[k_] * (step)));              \
        __m256 low_ = _mm256_castsi256_ps(_mm256_set_m128i(at_[2], at_[0]));                                         \
        __m256 high_ = _mm256_castsi256_ps(_mm256_set_m128i(at_[3], at_[1]));                                        \
        (first) = (fv_f32)_mm256_shuffle_ps(low_, high_, 0x88);                                                      \
        (second) = (fv_f32)_mm256_shuffle_ps(low_, high_, 0xdd);                                                     \
    } while (0)
#else
#define FV_NEIGHBOURS(table, index, step, first, second)                                                             \
    do {                                                                                                             \
        const float *table_ = (const float *)(table);                                                                \
        for (int lane_ = 0; lane_ < FV_LANES; lane_++) {                                                             \
            (first)[lane_] = table_[(index)[lane_] * (step)];                                                        \
            (second)[lane_] = table_[(index)[lane_] * (step) + 1];                                                   \
        }                                                                                                            \
    } while (0)
#endif
