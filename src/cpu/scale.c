/* Resampling for one instruction set. */
#include "cpu/scale.h"

#include "cpu/simd.h"

#include "arith/scale.h"

#define WORDS (FV_VECTOR_BYTES / 2) /* number of 16-bit lanes of a vector */

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

/* Packs 32-bit lanes to 16 bits with saturation, all lanes of `low` before all of `high`. */
FV_FN fv_i16 pack_in_order(fv_i32 low, fv_i32 high)
{
#if FV_VECTOR_BYTES == 64
    const fv_i64 order = {0, 2, 4, 6, 1, 3, 5, 7};
    return (fv_i16)_mm512_permutexvar_epi64((__m512i)order, (__m512i)fv_join_i16(low, high));
#elif FV_VECTOR_BYTES == 32
    return (fv_i16)_mm256_permute4x64_epi64((__m256i)fv_join_i16(low, high), 0xd8);
#else
    return fv_join_i16(low, high);
#endif
}

/* ---- Columns --------------------------------------------------------------------------------------------------- */

/* For each of FV_LANES outputs: two neighbouring samples, and the next two. */
typedef struct Pairs {
    fv_i16 first, second;
} Pairs;

/* Loads the pairs of each output separately, wherever they are. */
FV_FN Pairs far_pairs(const int16_t *line, const int *first)
{
#define AT(i) FV_LOAD(uint64_t, line + first[i])
#if FV_VECTOR_BYTES == 64
    const fv_i32 even = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}, odd = even + 1;
    const fv_u64 a = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7)};
    const fv_u64 b = {AT(8), AT(9), AT(10), AT(11), AT(12), AT(13), AT(14), AT(15)};
    return (Pairs){(fv_i16)_mm512_permutex2var_epi32((__m512i)a, (__m512i)even, (__m512i)b),
                   (fv_i16)_mm512_permutex2var_epi32((__m512i)a, (__m512i)odd, (__m512i)b)};
#elif FV_VECTOR_BYTES == 32
    const __m256 a = (__m256)(fv_u64){AT(0), AT(1), AT(4), AT(5)}, b = (__m256)(fv_u64){AT(2), AT(3), AT(6), AT(7)};
    return (Pairs){(fv_i16)_mm256_shuffle_ps(a, b, 0x88), (fv_i16)_mm256_shuffle_ps(a, b, 0xdd)};
#elif defined(__SSE2__)
    const __m128 a = (__m128)(fv_u64){AT(0), AT(1)}, b = (__m128)(fv_u64){AT(2), AT(3)};
    return (Pairs){(fv_i16)_mm_shuffle_ps(a, b, 0x88), (fv_i16)_mm_shuffle_ps(a, b, 0xdd)};
#elif defined(__wasm_simd128__)
    const fv_u32 a = (fv_u32)(fv_u64){AT(0), AT(1)}, b = (fv_u32)(fv_u64){AT(2), AT(3)};
    return (Pairs){(fv_i16)__builtin_shufflevector(a, b, 0, 2, 4, 6),
                   (fv_i16)__builtin_shufflevector(a, b, 1, 3, 5, 7)};
#else
    const uint32x4_t a = (uint32x4_t)(fv_u64){AT(0), AT(1)}, b = (uint32x4_t)(fv_u64){AT(2), AT(3)};
    return (Pairs){(fv_i16)vuzp1q_u32(a, b), (fv_i16)vuzp2q_u32(a, b)};
#endif
#undef AT
}

/*
 * Where the samples of neighbouring outputs are close, one load gets the pairs of several outputs and a byte
 * permutation selects them: 16 outputs from 32 samples, or 4 from 8. SSE2 lacks such a permutation.
 */
#if FV_VECTOR_BYTES > 16 || defined(__ARM_NEON) || defined(__wasm_simd128__)
#define NEAR 1

/* Returns whether one load contains `pairs` consecutive pairs of each output. */
FV_FN bool is_near(const FvScaleTable *table, int pairs)
{
    return FV_VECTOR_BYTES == 64 ? table->near16 + 2 * pairs <= 32 : table->near4 + 2 * pairs <= 8;
}

/* Returns the byte indices of the first pair of each output, for the permutation. */
FV_FN fv_i32 find_near(const int *first)
{
    fv_i32 place = FV_LOAD(fv_i32, first);
#if FV_VECTOR_BYTES == 32
    place -= (fv_i32)_mm256_shuffle_epi32((__m256i)place, 0);
#else
    place -= fv_splat_i32(first[0]);
#endif
    return place * 0x02020202 + 0x03020100;
}

FV_FN fv_i16 load_near(const int16_t *line, const int *first)
{
#if FV_VECTOR_BYTES == 32
    return (fv_i16)_mm256_loadu2_m128i((const __m128i *)(line + first[4]), (const __m128i *)(line + first[0]));
#else
    return FV_LOAD(fv_i16, line + first[0]);
#endif
}

FV_FN fv_i16 pick(fv_i16 samples, fv_i32 place)
{
#if FV_VECTOR_BYTES == 64
    return (fv_i16)_mm512_permutexvar_epi8((__m512i)place, (__m512i)samples);
#elif FV_VECTOR_BYTES == 32
    return (fv_i16)_mm256_shuffle_epi8((__m256i)samples, (__m256i)place);
#elif defined(__wasm_simd128__)
    return (fv_i16)wasm_i8x16_swizzle((v128_t)samples, (v128_t)place);
#else
    return (fv_i16)vqtbl1q_u8((uint8x16_t)samples, (uint8x16_t)place);
#endif
}

/* Filters `rows` rows with `pairs` pairs of taps. One load provides `shared` of them, 1 or 2. */
FV_FN void near_columns(int16_t *const *between, const int16_t *const *line, const int rows, int base,
                        const FvScaleTable *table, int from, int end, int extra, const int pairs, const int shared)
{
    const fv_i32 half_up = fv_splat_i32(fv_scale_between_half(extra));
    for (int x = from; x < end; x += WORDS) {
        const int *first[2] = {table->first + x, table->first + x + FV_LANES};
        const fv_i32 place[2] = {find_near(first[0]), find_near(first[1])};
        const fv_i32 next[2] = {place[0] + 0x04040404, place[1] + 0x04040404};
        for (int row = 0; row < rows; row++) {
            fv_i32 sum[2] = {half_up, half_up};
            for (int pair = 0; pair < pairs; pair += shared)
                for (int half = 0; half < 2; half++) {
                    const int16_t *weights =
                        table->coefficient + 2 * ((ptrdiff_t)pair * table->padded + x + half * FV_LANES);
                    const fv_i16 samples = load_near(line[row] - base + 2 * pair, first[half]);
                    sum[half] = fv_madd_add_i16(sum[half], pick(samples, place[half]), FV_LOAD(fv_i16, weights));
                    if (shared == 2 && pair + 1 < pairs)
                        sum[half] = fv_madd_add_i16(sum[half], pick(samples, next[half]),
                                                    FV_LOAD(fv_i16, weights + 2 * (ptrdiff_t)table->padded));
                }
            FV_STORE(between[row] + x - from,
                     pack_in_order(fv_scale_between(sum[0], extra), fv_scale_between(sum[1], extra)));
        }
    }
}

/* Calls near_columns() with the usual numbers of pairs as constants, so that the compiler unrolls the loops. */
FV_FN void near_columns_of(int16_t *const *between, const int16_t *const *line, const int rows, int base,
                           const FvScaleTable *table, int from, int end, int extra)
{
    const int pairs = (table->used + 1) / 2;
    const bool two = is_near(table, 2);
    if (pairs == 2 && two)
        near_columns(between, line, rows, base, table, from, end, extra, 2, 2);
    else if (pairs == 3 && two)
        near_columns(between, line, rows, base, table, from, end, extra, 3, 2);
    else
        near_columns(between, line, rows, base, table, from, end, extra, pairs, 1);
}
#endif

static void far_columns(int16_t *between, const int16_t *line, int base, const FvScaleTable *table, int from, int end,
                        int extra)
{
    const fv_i32 half_up = fv_splat_i32(fv_scale_between_half(extra));
    for (int x = from; x < end; x += WORDS) {
        fv_i32 sum[2] = {half_up, half_up};
        for (int half = 0; half < 2; half++)
            for (int tap = 0; tap < table->taps; tap += FV_SCALE_GROUP) {
                const int at = x + half * FV_LANES;
                const int16_t *weights = table->coefficient + tap * (ptrdiff_t)table->padded + 2 * at;
                const Pairs pairs = far_pairs(line - base + tap, table->first + at);
                sum[half] = fv_madd_add_i16(sum[half], pairs.first, FV_LOAD(fv_i16, weights));
                sum[half] = fv_madd_add_i16(sum[half], pairs.second, FV_LOAD(fv_i16, weights + 2 * table->padded));
            }
        FV_STORE(between + x - from, pack_in_order(fv_scale_between(sum[0], extra), fv_scale_between(sum[1], extra)));
    }
}

static void columns(int16_t *const *between, const int16_t *const *line, int rows, int base,
                    const FvScaleTable *table, int from, int end, int extra)
{
#ifdef NEAR
    if (is_near(table, 1) && rows == FV_SCALE_ROWS) {
        near_columns_of(between, line, FV_SCALE_ROWS, base, table, from, end, extra);
        return;
    }
    if (is_near(table, 1)) {
        for (int row = 0; row < rows; row++)
            near_columns_of(between + row, line + row, 1, base, table, from, end, extra);
        return;
    }
#endif
    for (int row = 0; row < rows; row++)
        far_columns(between[row], line[row], base, table, from, end, extra);
}

static void columns_deep(int32_t *between, const int32_t *line, int base, const FvScaleTable *table, int from,
                         int end)
{
    for (int x = from; x < end; x += FV_LANES) {
        fv_i32 sum = fv_splat_i32(fv_scale_between_half(0));
        for (int tap = 0; tap < table->used; tap++)
            for (int lane = 0; lane < FV_LANES; lane++)
                sum[lane] += fv_scale_coefficient(table, x + lane, tap) * line[table->first[x + lane] + tap - base];
        FV_STORE(between + x - from, fv_scale_between(sum, 0));
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

typedef enum Store { STORE_BYTES, STORE_WORDS, STREAM_BYTES, STREAM_WORDS } Store;

FV_FN void store(uint8_t *out, int x, fv_i16 sample, const Store how)
{
    const fv_u8_half bytes = __builtin_convertvector(sample, fv_u8_half);
    if (how == STORE_WORDS)
        FV_STORE(out + 2 * x, sample);
    else if (how == STREAM_WORDS)
        FV_STREAM(out + 2 * x, sample);
    else if (how == STORE_BYTES)
        FV_STORE(out + x, bytes);
    else
        FV_STREAM_HALF(out + x, bytes);
}

/* Filters down the columns with `pairs` pairs of taps. */
FV_FN void rows_of(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count,
                   int extra, int depth, const int pairs, const Store how)
{
    const fv_i16 zero = {0}, maximum = fv_splat_i16((1 << depth) - 1);
    const fv_i32 half_up = fv_splat_i32(fv_scale_end_half(extra));
    const int16_t *coefficient = table->coefficient + 2 * y;
    for (int x = 0; x < count; x += WORDS) {
        fv_i32 low = half_up, high = half_up;
        for (int pair = 0; pair < pairs; pair++) {
            const fv_i16 a = FV_LOAD(fv_i16, between[2 * pair] + x), b = FV_LOAD(fv_i16, between[2 * pair + 1] + x);
            const fv_i16 weights =
                (fv_i16)fv_splat_u32(FV_LOAD(uint32_t, coefficient + 2 * (ptrdiff_t)pair * table->padded));
            const FvTurns turns = fv_take_turns(a, b);
            low = fv_madd_add_i16(low, turns.low, weights);
            high = fv_madd_add_i16(high, turns.high, weights);
        }
        const fv_i16 sample = fv_join_i16(fv_scale_end(low, extra), fv_scale_end(high, extra));
        store(out, x, fv_min_i16(fv_max_i16(sample, zero), maximum), how);
    }
}

/* Calls rows_of() with the usual numbers of pairs as constants, so that the compiler unrolls the loops. */
FV_FN void rows_by(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count,
                   int extra, int depth, const Store how)
{
    const int pairs = (table->used + 1) / 2;
    if (pairs == 2)
        rows_of(out, between, table, y, count, extra, depth, 2, how);
    else if (pairs == 3)
        rows_of(out, between, table, y, count, extra, depth, 3, how);
    else
        rows_of(out, between, table, y, count, extra, depth, pairs, how);
}

static void rows(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count, int extra,
                 int depth, bool stream)
{
    const bool aligned = (uintptr_t)out % FV_VECTOR_BYTES == 0;
    if (stream && aligned && depth == 8)
        rows_by(out, between, table, y, count, extra, depth, STREAM_BYTES);
    else if (stream && aligned)
        rows_by(out, between, table, y, count, extra, depth, STREAM_WORDS);
    else if (depth == 8)
        rows_by(out, between, table, y, count, extra, depth, STORE_BYTES);
    else
        rows_by(out, between, table, y, count, extra, depth, STORE_WORDS);
}

static void settle(void)
{
    FV_STREAM_END();
}

static void rows_deep(uint16_t *out, const int32_t *const *between, const FvScaleTable *table, int y, int count,
                      int depth)
{
    for (int x = 0; x < count; x += FV_LANES) {
        fv_i32 sum = fv_splat_i32(fv_scale_end_half(0));
        for (int tap = 0; tap < table->used; tap++)
            sum += FV_LOAD(fv_i32, between[tap] + x) * fv_scale_coefficient(table, y, tap);
        fv_i32 sample = fv_scale_clip(fv_scale_end(sum, 0), (1 << depth) - 1);
        FV_STORE(out + x, __builtin_convertvector((fv_u32)sample, fv_u16_half));
    }
}

const FvScaleKernels FV_ISA_STRUCT(fv_scale_kernels) = {.widen = widen,
                                                        .columns = columns,
                                                        .columns_deep = columns_deep,
                                                        .rows = rows,
                                                        .rows_deep = rows_deep,
                                                        .settle = settle};
