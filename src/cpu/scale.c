/* Resampling for one instruction set. */
#include "cpu/scale.h"

#include "cpu/simd.h"

#include "arith/scale.h"

#define WORDS (FV_VECTOR_BYTES / 2) /* 16-bit lanes of a vector */

static void widen(int16_t *line, const uint8_t *row, int bytes, int shift, int count)
{
    int i = 0;
    if (bytes == 1) {
        for (; i + WORDS <= count; i += WORDS)
            FV_STORE(line + i, fv_i16_from_u8(FV_LOAD(fv_u8_half, row + i)) << (int16_t)shift);
        for (; i < count; i++)
            line[i] = (int16_t)(row[i] << shift);
        return;
    }
    for (; i + WORDS <= count; i += WORDS)
        FV_STORE(line + i, FV_LOAD(fv_i16, row + 2 * i) << (int16_t)shift);
    for (; i < count; i++)
        line[i] = (int16_t)(((const uint16_t *)row)[i] << shift);
}

/* Four samples from each of as many places as a vector has room for. */
FV_FN fv_i16 four_of_each(const int16_t *line, const int *place)
{
#define AT(i) FV_LOAD(uint64_t, line + place[i])
#if FV_VECTOR_BYTES == 64
    return (fv_i16)(fv_u64){AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7)};
#elif FV_VECTOR_BYTES == 32
    return (fv_i16)(fv_u64){AT(0), AT(1), AT(2), AT(3)};
#else
    return (fv_i16)(fv_u64){AT(0), AT(1)};
#endif
#undef AT
}

/* Sums of neighbouring lanes, those of a before those of b. */
FV_FN fv_i32 add_pairs(fv_i32 a, fv_i32 b)
{
#if FV_VECTOR_BYTES == 64
    const fv_i32 even = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
    __m512i odd = (__m512i)(even + 1);
    return (fv_i32)_mm512_permutex2var_epi32((__m512i)a, (__m512i)even, (__m512i)b) +
           (fv_i32)_mm512_permutex2var_epi32((__m512i)a, odd, (__m512i)b);
#elif FV_VECTOR_BYTES == 32
    return (fv_i32)_mm256_permute4x64_epi64(_mm256_hadd_epi32((__m256i)a, (__m256i)b), 0xd8);
#elif defined(__SSE2__)
    __m128 p = (__m128)a, q = (__m128)b;
    return (fv_i32)_mm_shuffle_ps(p, q, 0x88) + (fv_i32)_mm_shuffle_ps(p, q, 0xdd);
#else
    return (fv_i32)vpaddq_s32((int32x4_t)a, (int32x4_t)b);
#endif
}

static void columns(int16_t *between, const int16_t *line, int base, const FvScaleTable *table, int from, int end,
                    int extra)
{
    const int groups = table->taps / FV_SCALE_GROUP;
    line -= base;
    for (int x = from; x < end; x += FV_LANES) {
        const int *first = table->first + x;
        const int16_t *weights = table->coefficient + x * FV_SCALE_GROUP;
        fv_i32 low = {0}, high = {0};
        for (int g = 0; g < groups; g++) {
            const int16_t *from_here = line + g * FV_SCALE_GROUP;
            low += fv_madd_i16(four_of_each(from_here, first), FV_LOAD(fv_i16, weights));
            high += fv_madd_i16(four_of_each(from_here, first + FV_LANES / 2), FV_LOAD(fv_i16, weights + WORDS));
            weights += (ptrdiff_t)table->padded * FV_SCALE_GROUP;
        }
        fv_i32 sum = fv_scale_between(add_pairs(low, high), extra);
        FV_STORE(between + x - from, __builtin_convertvector(sum, fv_i16_half));
    }
}

static void columns_deep(int32_t *between, const int32_t *line, int base, const FvScaleTable *table, int from,
                         int end)
{
    for (int x = from; x < end; x += FV_LANES) {
        fv_i32 sum = {0};
        for (int tap = 0; tap < table->used; tap++)
            for (int lane = 0; lane < FV_LANES; lane++)
                sum[lane] += fv_scale_coefficient(table, x + lane, tap) * line[table->first[x + lane] + tap - base];
        FV_STORE(between + x - from, fv_scale_between(sum, 0));
    }
}

/* Lanes of a and b in turn: in the halves of 128 bits, which `pack` puts in order again. */
FV_FN fv_i16 mix_low(fv_i16 a, fv_i16 b)
{
#if FV_VECTOR_BYTES == 64
    return (fv_i16)_mm512_unpacklo_epi16((__m512i)a, (__m512i)b);
#elif FV_VECTOR_BYTES == 32
    return (fv_i16)_mm256_unpacklo_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (fv_i16)_mm_unpacklo_epi16((__m128i)a, (__m128i)b);
#else
    return (fv_i16)vzip1q_s16((int16x8_t)a, (int16x8_t)b);
#endif
}

FV_FN fv_i16 mix_high(fv_i16 a, fv_i16 b)
{
#if FV_VECTOR_BYTES == 64
    return (fv_i16)_mm512_unpackhi_epi16((__m512i)a, (__m512i)b);
#elif FV_VECTOR_BYTES == 32
    return (fv_i16)_mm256_unpackhi_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (fv_i16)_mm_unpackhi_epi16((__m128i)a, (__m128i)b);
#else
    return (fv_i16)vzip2q_s16((int16x8_t)a, (int16x8_t)b);
#endif
}

/* To 16 bits, with saturation: depths up to 14 are clipped afterwards. */
FV_FN fv_i16 pack(fv_i32 low, fv_i32 high)
{
#if FV_VECTOR_BYTES == 64
    return (fv_i16)_mm512_packs_epi32((__m512i)low, (__m512i)high);
#elif FV_VECTOR_BYTES == 32
    return (fv_i16)_mm256_packs_epi32((__m256i)low, (__m256i)high);
#elif defined(__SSE2__)
    return (fv_i16)_mm_packs_epi32((__m128i)low, (__m128i)high);
#else
    return (fv_i16)vcombine_s16(vqmovn_s32((int32x4_t)low), vqmovn_s32((int32x4_t)high));
#endif
}

static void rows(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count, int extra,
                 int depth)
{
    const fv_i16 zero = {0}, maximum = fv_splat_i16((1 << depth) - 1);
    for (int x = 0; x < count; x += WORDS) {
        fv_i32 low = {0}, high = {0};
        for (int tap = 0; tap < table->used; tap += 2) {
            fv_i16 a = FV_LOAD(fv_i16, between[tap] + x), b = FV_LOAD(fv_i16, between[tap + 1] + x);
            const uint32_t pair = (uint32_t)(fv_scale_coefficient(table, y, tap) & 0xffff) |
                                  (uint32_t)fv_scale_coefficient(table, y, tap + 1) << 16;
            const fv_i16 weights = (fv_i16)fv_splat_u32(pair);
            low += fv_madd_i16(mix_low(a, b), weights);
            high += fv_madd_i16(mix_high(a, b), weights);
        }
        fv_i16 sample = pack(fv_scale_end(low, extra), fv_scale_end(high, extra));
        sample = fv_min_i16(fv_max_i16(sample, zero), maximum);
        if (depth == 8)
            FV_STORE(out + x, __builtin_convertvector(sample, fv_u8_half));
        else
            FV_STORE(out + 2 * x, sample);
    }
}

static void rows_deep(uint16_t *out, const int32_t *const *between, const FvScaleTable *table, int y, int count,
                      int depth)
{
    for (int x = 0; x < count; x += FV_LANES) {
        fv_i32 sum = {0};
        for (int tap = 0; tap < table->used; tap++)
            sum += FV_LOAD(fv_i32, between[tap] + x) * fv_scale_coefficient(table, y, tap);
        fv_i32 sample = fv_scale_clip(fv_scale_end(sum, 0), (1 << depth) - 1);
        FV_STORE(out + x, __builtin_convertvector((fv_u32)sample, fv_u16_half));
    }
}

const FvScaleKernels FV_ISA_STRUCT(fv_scale_kernels) = {
    .widen = widen, .columns = columns, .columns_deep = columns_deep, .rows = rows, .rows_deep = rows_deep};
