/*
 * Loads samples of PSNR-HVS's blocks into lanes, for one instruction set. Blocks start FV_HVS_STEP samples apart, and
 * each lane gets the samples of its block.
 */
#pragma once

#include "cpu/simd.h"
#include "cpu/psnr_hvs.h"

#include "arith/psnr_hvs.h"

#define SPAN (FV_HVS_STEP * FV_LANES + 1) /* samples per row under the FV_LANES blocks of a unit */

typedef struct Pairs {
    fv_i16 v[4]; /* the 32-bit lane i of v[k] holds samples 2k and 2k + 1 of block i */
} Pairs;

#if FV_LANES == 16

/* Byte indices for a permutation of samples 0 to 63 and 49 to 112. The result has a zero after every byte. */
#define BYTE(s) (char)((s) < 64 ? (s) : (s) + 15)
#define BYTES(k, i) BYTE(7 * (i) + 2 * (k)), 0, BYTE(7 * (i) + 2 * (k) + 1), 0
#define BYTES4(k, i) BYTES(k, i), BYTES(k, i + 1), BYTES(k, i + 2), BYTES(k, i + 3)
#define BYTES16(k)                                                                                                   \
    {                                                                                                                \
        BYTES4(k, 0), BYTES4(k, 4), BYTES4(k, 8), BYTES4(k, 12)                                                      \
    }
static const char bytes_of_pair[4][64]
    __attribute__((aligned(64))) = {BYTES16(0), BYTES16(1), BYTES16(2), BYTES16(3)};

/* Word indices for the samples of four blocks and of the next four, two pairs of each block. */
#define WORD(i, j) (short)((i) < 4 ? 7 * (i) + (j) : 32 + 7 * ((i)-4) + (j))
#define WORDS(k, i) WORD(i, 2 * (k)), WORD(i, 2 * (k) + 1)
#define WORDS4(k, i) WORDS(k, i), WORDS(k, i + 1), WORDS(k, i + 2), WORDS(k, i + 3)
#define WORDS8(k) WORDS4(k, 0), WORDS4(k, 4)
static const short words_of_pairs[2][32]
    __attribute__((aligned(64))) = {{WORDS8(0), WORDS8(1)}, {WORDS8(2), WORDS8(3)}};

FV_FN Pairs load_bytes(const uint8_t *p)
{
    __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + SPAN - 64);
    Pairs pairs;
    for (int k = 0; k < 4; k++)
        pairs.v[k] =
            (fv_i16)_mm512_maskz_permutex2var_epi8(0x5555555555555555, a, _mm512_load_si512(bytes_of_pair[k]), b);
    return pairs;
}

FV_FN Pairs load_words(const uint8_t *p)
{
    __m512i four[4], half[2][2];
    for (int i = 0; i < 4; i++)
        four[i] = _mm512_loadu_si512(p + 56 * i);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            half[k][i] =
                _mm512_permutex2var_epi16(four[2 * i], _mm512_load_si512(words_of_pairs[k]), four[2 * i + 1]);
    Pairs pairs;
    for (int k = 0; k < 2; k++) {
        pairs.v[2 * k] = (fv_i16)_mm512_shuffle_i64x2(half[k][0], half[k][1], 0x44);
        pairs.v[2 * k + 1] = (fv_i16)_mm512_shuffle_i64x2(half[k][0], half[k][1], 0xee);
    }
    return pairs;
}

#else

#if FV_LANES == 8
#define ROW_OF_BLOCKS __m256i
#define UNPACK_LOW_32(a, b) _mm256_unpacklo_epi32(a, b)
#define UNPACK_HIGH_32(a, b) _mm256_unpackhi_epi32(a, b)
#define UNPACK_LOW_64(a, b) _mm256_unpacklo_epi64(a, b)
#define UNPACK_HIGH_64(a, b) _mm256_unpackhi_epi64(a, b)
#define LOAD_128(p) _mm_loadu_si128((const __m128i *)(p))
#define LOAD_TWO(p, q) _mm256_inserti128_si256(_mm256_castsi128_si256(LOAD_128(p)), LOAD_128(q), 1)
#elif defined(__SSE2__)
#define ROW_OF_BLOCKS __m128i
#define UNPACK_LOW_32(a, b) _mm_unpacklo_epi32(a, b)
#define UNPACK_HIGH_32(a, b) _mm_unpackhi_epi32(a, b)
#define UNPACK_LOW_64(a, b) _mm_unpacklo_epi64(a, b)
#define UNPACK_HIGH_64(a, b) _mm_unpackhi_epi64(a, b)
#elif defined(__wasm_simd128__)
#define ROW_OF_BLOCKS fv_i32
#define UNPACK_LOW_32(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define UNPACK_HIGH_32(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define UNPACK_LOW_64(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define UNPACK_HIGH_64(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define ROW_OF_BLOCKS int32x4_t
#define UNPACK_LOW_32(a, b) vzip1q_s32(a, b)
#define UNPACK_HIGH_32(a, b) vzip2q_s32(a, b)
#define UNPACK_LOW_64(a, b) (int32x4_t) vzip1q_s64((int64x2_t)(a), (int64x2_t)(b))
#define UNPACK_HIGH_64(a, b) (int32x4_t) vzip2q_s64((int64x2_t)(a), (int64x2_t)(b))
#endif

/* Transposes four rows of 8 words per 128-bit part, each part four blocks, to one vector per pair. */
FV_FN Pairs transpose(const ROW_OF_BLOCKS row[4])
{
    ROW_OF_BLOCKS low01 = UNPACK_LOW_32(row[0], row[1]), high01 = UNPACK_HIGH_32(row[0], row[1]);
    ROW_OF_BLOCKS low23 = UNPACK_LOW_32(row[2], row[3]), high23 = UNPACK_HIGH_32(row[2], row[3]);
    return (Pairs){{(fv_i16)UNPACK_LOW_64(low01, low23), (fv_i16)UNPACK_HIGH_64(low01, low23),
                    (fv_i16)UNPACK_LOW_64(high01, high23), (fv_i16)UNPACK_HIGH_64(high01, high23)}};
}

FV_FN Pairs load_words(const uint8_t *p)
{
    ROW_OF_BLOCKS row[4];
    for (int i = 0; i < 4; i++)
#if FV_LANES == 8
        row[i] = LOAD_TWO(p + 14 * i, p + 14 * i + 56);
#else
        row[i] = FV_LOAD(ROW_OF_BLOCKS, p + 14 * i);
#endif
    return transpose(row);
}

#if FV_LANES == 8

FV_FN Pairs load_bytes(const uint8_t *p)
{
    /* Puts the pairs of samples of two blocks, which share 16 bytes, side by side. */
    const __m256i spread =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 7, 8, 2, 3, 9, 10, 4, 5, 11, 12, 6, 7, 13, 14));
    __m256i a = _mm256_shuffle_epi8(LOAD_TWO(p, p + 28), spread);
    __m256i b = _mm256_shuffle_epi8(LOAD_TWO(p + 14, p + 42), spread);
    __m256i low = _mm256_unpacklo_epi32(a, b), high = _mm256_unpackhi_epi32(a, b), zero = _mm256_setzero_si256();
    return (Pairs){{(fv_i16)_mm256_unpacklo_epi8(low, zero), (fv_i16)_mm256_unpackhi_epi8(low, zero),
                    (fv_i16)_mm256_unpacklo_epi8(high, zero), (fv_i16)_mm256_unpackhi_epi8(high, zero)}};
}

#else

FV_FN Pairs load_bytes(const uint8_t *p)
{
    ROW_OF_BLOCKS row[4];
    for (int i = 0; i < 4; i++)
        row[i] = (ROW_OF_BLOCKS)fv_i16_from_u8(FV_LOAD(fv_u8_half, p + 7 * i));
    return transpose(row);
}

#endif
#endif
