/* Computes the c-values of a row from its collected counts. */
#pragma once

#include "cpu/cambi_lanes.h"
#include "cpu/cambi_strip.h"

FV_FN bool is_zero(const uint16_t *half)
{
#if defined(__AVX512F__)
    __m256i v = _mm256_loadu_si256((const __m256i *)half);
    return _mm256_testz_si256(v, v);
#elif defined(__AVX2__)
    __m128i v = _mm_loadu_si128((const __m128i *)half);
    return _mm_testz_si128(v, v);
#else
    return !FV_LOAD(uint64_t, half);
#endif
}

/* Returns table[n] in each lane. Single loads are faster than the gather instructions of many processors. */
FV_FN fv_f32 lookup(const float *table, const uint16_t *n)
{
#define CAMBI_FOUR(i) table[n[i]], table[n[i + 1]], table[n[i + 2]], table[n[i + 3]]
#if defined(__AVX512F__)
    fv_f32_half low = {CAMBI_FOUR(0), CAMBI_FOUR(4)}, high = {CAMBI_FOUR(8), CAMBI_FOUR(12)};
    return (fv_f32)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)low), (__m256)high, 1);
#elif defined(__AVX2__)
    return (fv_f32){CAMBI_FOUR(0), CAMBI_FOUR(4)};
#else
    return (fv_f32){CAMBI_FOUR(0)};
#endif
#undef CAMBI_FOUR
}

FV_FN bool any_above(fv_u16 v, uint16_t limit)
{
    const fv_u16 limits = (fv_u16){0} + limit;
    return fv_any((fv_i32)(fv_max_u16(v, limits) - limits) != 0);
}

/* The source of reciprocals: fv_cambi_quotient(), fv_cambi_reciprocal(), or the table. */
typedef enum Reciprocals { QUOTIENTS, NEARLY_QUOTIENTS, TABLE } Reciprocals;

FV_FN fv_i32 counted(const uint16_t *collected)
{
    return fv_i32_from_u16(FV_LOAD(fv_u16_half, collected));
}

/* Returns the c-values of FV_LANES pixels from their collected counts. */
FV_FN fv_f32 terms(Reciprocals from, const float *table, const uint16_t *collected, uint32_t used,
                   const int contrasts)
{
    const fv_f32 own = fv_f32_from_i32(counted(collected));
    fv_f32 c = {0};
    for (int d = 0; d < contrasts; d++) {
        if (!(used >> d & 1))
            continue;
        const uint16_t *place = collected + (d + 1) * CAMBI_ROW;
        fv_i32 both = from == TABLE ? counted(place) : fv_max_i32(counted(place), fv_splat_i32(1));
        fv_f32 reciprocal = from == TABLE              ? lookup(table, place)
                            : from == NEARLY_QUOTIENTS ? fv_cambi_reciprocal(both)
                                                       : fv_cambi_quotient(both);
        c = fv_max_f32(c, fv_cambi_term(fv_cambi_weight[d], own, fv_f32_from_i32(both) - own, reciprocal));
    }
    return c;
}

/* Returns the fastest source of reciprocals that is exact for CAMBI_GROUP pixels. */
FV_FN Reciprocals quickest(const uint16_t *collected, uint32_t used, const int contrasts)
{
    fv_u16 most = {0};
    for (int d = 0; d < contrasts; d++)
        if (used >> d & 1)
            for (int i = 0; i < CAMBI_GROUP; i += CAMBI_LANES16)
                most = fv_max_u16(most, FV_LOAD(fv_u16, collected + (d + 1) * CAMBI_ROW + i));
    if (any_above(most, FV_CAMBI_NEARLY_QUOTIENTS - 1))
        return TABLE;
    return any_above(most, FV_CAMBI_QUOTIENTS - 1) ? NEARLY_QUOTIENTS : QUOTIENTS;
}

/* Counts the row's c-values, whose bins are in `bin`. */
static void count_row(Strip *s)
{
    for (int i = 0; i < s->row.binned; i += 4)
        for (int k = 0; k < 4; k++)
            s->tally[k][s->bin[i + k]]++;
}

/* Sums over the c-values of a row so far. */
typedef struct Row {
    fv_f64 sum;
    fv_i32 zeros;
    int binned;
} Row;

FV_FN void add_to_row(Strip *s, Row *row, fv_f32 c, bool keep)
{
    row->sum += widen_low(c) + widen_high(c);
    row->zeros += c > (fv_f32){0};
    if (keep) {
        fv_i32 bin = ((fv_i32)c >> FV_CAMBI_BIN_SHIFT) - (FV_CAMBI_FIRST_BIN - 1);
        FV_STORE(s->bin + row->binned, __builtin_convertvector((fv_u32)fv_max_i32(bin, (fv_i32){0}), fv_u16_half));
        row->binned += FV_LANES;
    }
}

FV_FN void end_row(Strip *s, const Row *row)
{
    s->row.sum = row->sum;
    s->row.zeros = row->zeros;
    s->row.binned = row->binned;
}

/* Adds the c-values of columns [begin, end), and stores them if `kept` is not NULL. Clears the collected counts. */
FV_FN void sum_part(Strip *s, Row *row, int begin, int end, Reciprocals from, float *kept, uint32_t used,
                    const int contrasts)
{
    const float *const table = s->job.tables->reciprocal;
    for (int i = begin; i < end; i += FV_LANES) {
        fv_f32 c = {0};
        if (!is_zero(s->runs.own + i)) {
            c = terms(from, table, s->runs.own + i, used, contrasts);
            FV_STORE(s->runs.own + i, (fv_u16_half){0});
            add_to_row(s, row, c, kept);
        }
        if (kept)
            FV_STORE(kept + i, c);
    }
}

/* Sums a row's c-values. look: finds the fastest source of reciprocals for each group; else uses the table. */
FV_FN void sum_parts(Strip *s, bool look, float *kept, const uint32_t used, const int contrasts)
{
    const int collected = s->row.collected;
    int tables = 0;
    Row row = {0};
    if (!look)
        sum_part(s, &row, 0, collected, TABLE, kept, used, contrasts);
    for (int i = 0; look && i < collected; i += CAMBI_GROUP) {
        const int end = i + CAMBI_GROUP < collected ? i + CAMBI_GROUP : collected;
        switch (quickest(s->runs.own + i, used, contrasts)) {
        case QUOTIENTS:
            sum_part(s, &row, i, end, QUOTIENTS, kept, used, contrasts);
            break;
        case NEARLY_QUOTIENTS:
            sum_part(s, &row, i, end, NEARLY_QUOTIENTS, kept, used, contrasts);
            break;
        case TABLE:
            sum_part(s, &row, i, end, TABLE, kept, used, contrasts), tables++;
            break;
        }
    }
    if (look)
        s->row.look = tables * CAMBI_GROUP * 4 < collected * 3;
    end_row(s, &row);
}

/* Calls sum_parts() with the usual case as constants, for speed: four contrasts, all of which occur in the row. */
static __attribute__((noinline)) void sum_runs(Strip *s, int y, float *kept)
{
    const bool look = s->row.look || y % CAMBI_LOOK == 0;
    if (s->job.tables->contrasts == 4 && s->used == 15)
        sum_parts(s, look, kept, 15, 4);
    else if (s->job.tables->contrasts == 4)
        sum_parts(s, look, kept, s->used, 4);
    else
        sum_parts(s, look, kept, s->used, s->job.tables->contrasts);
}
