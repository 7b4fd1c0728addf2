/* Lists the runs of equal pixels in a row. */
#pragma once

#include "cpu/cambi_lanes.h"
#include "cpu/cambi_strip.h"

static List *list_of(Strip *s, int y)
{
    return &s->list[s->list_number[y % s->job.ring]];
}

/* Where the next run start and the next run end go. A run may start in one 64-sample word and end in a later one. */
typedef struct Tail {
    uint32_t *run, *end;
} Tail;

#if defined(__AVX2__)
/* Returns the lanes whose bits are set in `lanes`, moved together from the first lane on. */
FV_FN fv_i32 packed(const Strip *s, fv_i32 v, uint32_t lanes)
{
#if defined(__AVX512F__)
    return (fv_i32)_mm512_maskz_compress_epi32((__mmask16)lanes, (__m512i)v);
#else
    __m128i order = _mm_loadl_epi64((const __m128i *)&s->shape.packing[lanes]);
    return (fv_i32)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_cvtepu8_epi32(order));
#endif
}

/* Does the same as list_word() with vectors, which is faster for words with many edges. */
FV_FN Tail list_vectors(const Strip *s, Tail to, const uint16_t *sample, uint16_t low, uint32_t x, FvCambiEdges edges)
{
    for (int i = 0; i < 64; i += FV_LANES, edges.begins >>= FV_LANES, edges.ends >>= FV_LANES) {
        const uint32_t all = (1u << FV_LANES) - 1, begins = edges.begins & all, ends = edges.ends & all;
        fv_i32 column = fv_lane_index() + (int32_t)x + i;
        fv_i32 value = fv_i32_from_u16(FV_LOAD(fv_u16_half, sample + i) - low);
        FV_STORE(to.run, packed(s, value << 16 | column, begins));
        FV_STORE(to.end, packed(s, column, ends));
        to.run += __builtin_popcount(begins);
        to.end += __builtin_popcount(ends);
    }
    return to;
}
#endif

/* Appends the run starts and ends among 64 samples; the first sample is in column x. */
FV_FN Tail list_word(const Strip *s, Tail to, const uint16_t *sample, uint16_t low, uint32_t x, FvCambiEdges edges)
{
#if defined(__AVX2__)
    if (__builtin_popcountll(edges.begins | edges.ends) > CAMBI_MANY)
        return list_vectors(s, to, sample, low, x, edges);
#else
#endif
    for (; edges.begins; edges.begins &= edges.begins - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(edges.begins);
        *to.run++ = (uint32_t)(uint16_t)(sample[i] - low) << 16 | (x + i);
    }
    for (; edges.ends; edges.ends &= edges.ends - 1)
        *to.end++ = x + (uint32_t)__builtin_ctzll(edges.ends);
    return to;
}

/* Appends the runs of columns [begin, end) of row y after the first `count` runs. Returns the new number of runs. */
FV_FN int list_part(Strip *s, int y, int begin, int end, List *list, int count)
{
    if (begin >= end)
        return count;
    const uint16_t *samples = fv_cambi_row(s->job.scale, s->job.frame, y);
    const FvCambiEdges *edges = fv_cambi_edges(s->job.scale, s->job.frame, y);
    const FvCambiTables *tables = s->job.tables;
    const uint16_t low = (uint16_t)(FV_CAMBI_MASKED + tables->low), span = (uint16_t)(tables->high - tables->low);
    const int origin = s->job.left - s->job.radius, last = (end - 1) >> 6;
    /* Whether a run covers the first column: it starts there, or an earlier part was cut off. */
    const bool cut = (uint16_t)(samples[begin] - low) <= span;
    Tail to = {list->run + count, s->end + count};
    for (int word = begin >> 6; word <= last; word++) {
        FvCambiEdges e = edges[word];
        if (word == begin >> 6) {
            e.begins = (e.begins & ~(uint64_t)0 << (begin & 63)) | (uint64_t)cut << (begin & 63);
            e.ends &= ~(uint64_t)1 << (begin & 63);
        }
        if (word == last) {
            e.begins &= ~(uint64_t)0 >> (-end & 63);
            e.ends &= ~(uint64_t)0 >> (-end & 63);
        }
        to = list_word(s, to, samples + word * 64, low, (uint32_t)(word * 64 - origin), e);
    }
    count = (int)(to.run - list->run);
    *to.end = (uint32_t)(end - origin); /* the end of a run that reaches the border */
    return count;
}

/* Precomputes for each run what entering and leaving the windows need. */
FV_FN void shape_runs(const Strip *s, List *list)
{
    for (int r = 0; r < list->count; r += FV_LANES) {
        fv_u32 run = FV_LOAD(fv_u32, list->run + r), a = run & 0xffff, offset = run % CAMBI_STEP;
        fv_u32 pixels = FV_LOAD(fv_u32, s->end + r) - a;
        FV_STORE(list->at + r, (run >> 16) * CAMBI_PITCH + a - offset);
        FV_STORE(list->shape + r, pixels << 16 | ((pixels * CAMBI_TRAPEZOID + CAMBI_STEP - offset) & 0xffff));
    }
}

static bool same_runs(const List *a, const List *b)
{
    return a == b || (a->count == b->count && !memcmp(a->run, b->run, (size_t)a->count * sizeof *a->run) &&
                      !memcmp(a->shape, b->shape, (size_t)a->count * sizeof *a->shape));
}
