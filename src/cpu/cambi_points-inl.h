/*
 * Counts points instead of runs, for rows in which most runs are single pixels of many values.
 *
 * Every pixel is listed by itself. Counters are bytes, and the counters of two neighbouring values are adjacent. A
 * point changes a window of such pairs. The current row needs five pairs per pixel, which are read without vectors.
 * When a count gets too large for a byte or for fv_cambi_reciprocal(), the strip continues with runs.
 */
#pragma once

#include "cpu/cambi_runs-inl.h"
#include "cpu/cambi_terms-inl.h"

#define CAMBI_SAMPLED 29 /* one row in 29 is sampled in advance; a prime, because patterns have other periods */

/*
 * Appends the points of columns [begin, end) of row y after the first `count` points. Returns the new number of
 * points.
 */
FV_FN int list_points(const Strip *s, int y, int begin, int end, List *list, int count)
{
    const uint16_t *samples = fv_cambi_row(s->job.scale, s->job.frame, y);
    const uint16_t low = (uint16_t)(FV_CAMBI_MASKED + s->job.tables->low);
    const int span = s->job.tables->high - s->job.tables->low, origin = s->job.left - s->job.radius;
    uint32_t *to = list->run + count;
#if defined(__AVX2__)
    for (int x = begin; x < end; x += FV_LANES) {
        fv_i32 value = fv_i32_from_u16(FV_LOAD(fv_u16_half, samples + x) - low);
        uint32_t points = bits_of(fv_and(value <= span, fv_lane_index() < end - x));
        FV_STORE(to, packed(s, value << 16 | (fv_lane_index() + (x - origin)), points));
        to += __builtin_popcount(points);
    }
#else
    for (int x = begin; x < end; x++) {
        uint32_t value = (uint16_t)(samples[x] - low);
        *to = value << 16 | (uint32_t)(x - origin);
        to += value <= (uint32_t)span;
    }
#endif
    return (int)(to - list->run);
}

/* Precomputes for each point what entering and leaving the windows need. */
FV_FN void shape_points(List *list)
{
    for (int r = 0; r < list->count; r += FV_LANES) {
        fv_u32 run = FV_LOAD(fv_u32, list->run + r), v = run >> 16, offset = run % CAMBI_LANES16;
        FV_STORE(list->at + r, (v / 2 + 2) * CAMBI_PITCH + (run & 0xffff));
        FV_STORE(list->shape + r, v % 2 * CAMBI_POINT + CAMBI_LANES16 - offset);
    }
}

/* Adds the points of row y to the windows (enter), or removes them. */
FV_FN void slide_list_of_points(Strip *s, int y, bool enter, const int vectors)
{
    const List *list = list_of(s, y);
    const uint16_t *const points = s->of_points.change[0];
    fv_u8 greatest = s->greatest;
    for (ptrdiff_t r = 0, count = list->count; r < count; r++) {
        uint16_t *pair = s->pair + (list->at[r] - (list->run[r] & (CAMBI_LANES16 - 1)));
        const uint16_t *change = points + list->shape[r];
        for (ptrdiff_t i = 0; i < vectors * CAMBI_LANES16; i += CAMBI_LANES16) {
            fv_u8 counts = FV_LOAD(fv_u8, pair + i), changes = FV_LOAD(fv_u8, change + i);
            counts = enter ? counts + changes : counts - changes;
            FV_STORE(pair + i, counts);
            if (enter)
                greatest = fv_max_u8(greatest, counts);
        }
    }
    s->greatest = greatest;
}

#define CAMBI_POINT_VECTORS(radius) ((2 * (radius) + 2 * CAMBI_LANES16 - 1) / CAMBI_LANES16)

/* Calls slide_list_of_points() with the usual numbers of vectors (1080 and 2160 lines) as constants, for speed. */
FV_FN void slide_points(Strip *s, int y, bool enter)
{
    if (s->job.radius == 16)
        slide_list_of_points(s, y, enter, CAMBI_POINT_VECTORS(16));
    else if (s->job.radius == 32)
        slide_list_of_points(s, y, enter, CAMBI_POINT_VECTORS(32));
    else
        slide_list_of_points(s, y, enter, CAMBI_POINT_VECTORS(s->job.radius));
}

static __attribute__((noinline)) void enter_points(Strip *s, int y)
{
    slide_points(s, y, true);
}

static __attribute__((noinline)) void leave_points(Strip *s, int y)
{
    slide_points(s, y, false);
}

/* Collects N(v), and N(v + d) and N(v - d) for the visible contrasts d, a byte each. */
static __attribute__((noinline)) void collect_points(Strip *s, int y)
{
    const List *list = list_of(s, y);
    const uint16_t *const pairs = s->pair + s->job.radius;
    int n = 0;
    for (ptrdiff_t r = list->inner, outer = list->outer; r < outer; r++, n++) {
        const uint32_t v = list->run[r] >> 16, gate = s->of_points.gate[v];
        const uint16_t *pair = pairs + list->at[r];
        const int shift = (int)(v % 2 * 8);
        const uint64_t two = pair[0];
        uint64_t below = (pair[-2 * CAMBI_PITCH] | (uint32_t)pair[-CAMBI_PITCH] << 16 | two << 32) >> shift;
        uint64_t above = (two | (uint32_t)pair[CAMBI_PITCH] << 16 | (uint64_t)pair[2 * CAMBI_PITCH] << 32) >> shift;
        s->of_points.own[n] = above & 0xff;
        s->of_points.upper[n] = (uint32_t)(above >> 8) & gate;
        s->of_points.lower[n] = __builtin_bswap32((uint32_t)below) & gate;
    }
    s->row.collected = n;
    s->used = n ? (1u << CAMBI_POINT_CONTRASTS) - 1 : 0;
    FV_STORE(s->of_points.own + n, (fv_u32){0});
    FV_STORE(s->of_points.upper + n, (fv_u32){0});
    FV_STORE(s->of_points.lower + n, (fv_u32){0});
}

/* Returns the c-values of FV_LANES points. */
FV_FN fv_f32 point_terms(Reciprocals from, fv_i32 own, fv_u32 others)
{
    const fv_f32 n = fv_f32_from_i32(own);
    fv_f32 c = {0};
    for (int d = 0; d < CAMBI_POINT_CONTRASTS; d++) {
        fv_i32 other = (fv_i32)(others >> 8 * d & 0xff), both = fv_max_i32(own + other, fv_splat_i32(1));
        fv_f32 reciprocal = from == NEARLY_QUOTIENTS ? fv_cambi_reciprocal(both) : fv_cambi_quotient(both);
        c = fv_max_f32(c, fv_cambi_term(fv_cambi_weight[d], n, fv_f32_from_i32(other), reciprocal));
    }
    return c;
}

/* Returns whether any byte is not 0. */
FV_FN bool any_byte(fv_u8 v)
{
    return fv_any((fv_i32)v != 0);
}

FV_FN void sum_point_terms(Strip *s, Reciprocals from, const uint32_t *run, float *kept)
{
    Row row = {0};
    for (int i = 0; i < s->row.collected; i += FV_LANES) {
        fv_u8 others = fv_max_u8(FV_LOAD(fv_u8, s->of_points.upper + i), FV_LOAD(fv_u8, s->of_points.lower + i));
        fv_f32 c = point_terms(from, FV_LOAD(fv_i32, s->of_points.own + i), (fv_u32)others);
        add_to_row(s, &row, c, kept);
        for (int k = 0; kept && k < FV_LANES && i + k < s->row.collected; k++)
            kept[(run[i + k] & 0xffff) - (uint32_t)s->job.radius] = c[k];
    }
    end_row(s, &row);
}

/*
 * Sums the c-values of row y. If a count exceeds half of FV_CAMBI_QUOTIENTS, a sum of two may exceed it, so the row
 * uses fv_cambi_reciprocal().
 */
static __attribute__((noinline)) void sum_points(Strip *s, int y, float *kept)
{
    const List *list = list_of(s, y);
    const uint32_t *run = list->run + list->inner;
    fv_u8 most = {0};
    for (int i = 0; i < s->row.collected; i += FV_LANES) {
        most = fv_max_u8(most, FV_LOAD(fv_u8, s->of_points.own + i));
        most = fv_max_u8(most,
                         fv_max_u8(FV_LOAD(fv_u8, s->of_points.upper + i), FV_LOAD(fv_u8, s->of_points.lower + i)));
    }
    if (kept)
        memset(kept, 0, FV_ROUND_UP((size_t)s->job.columns, FV_LANES) * sizeof *kept);
    if (any_byte(most >= FV_CAMBI_QUOTIENTS / 2))
        sum_point_terms(s, NEARLY_QUOTIENTS, run, kept);
    else
        sum_point_terms(s, QUOTIENTS, run, kept);
}

/*
 * Returns whether the sum of two counts may exceed what fv_cambi_reciprocal() computes. It is called after each row,
 * so no count can exceed the limit unnoticed.
 */
FV_FN bool is_full(const Strip *s)
{
    return any_byte(s->greatest > (uint8_t)(FV_CAMBI_NEARLY_QUOTIENTS / 2 - 1));
}

/*
 * Returns whether points suit the strip better than runs: it has many runs, and nearly all sampled ones are single
 * pixels.
 */
static bool prefers_points(Strip *s)
{
    if (s->job.tables->contrasts != CAMBI_POINT_CONTRASTS || s->job.radius > CAMBI_POINT_RADIUS)
        return false;
    int64_t runs = 0, pixels = 0, columns = 0;
    for (int y = 0; y < s->job.scale->height; y += CAMBI_SAMPLED, columns += s->job.behind - s->job.begin) {
        const FvCambiEdges *edges = fv_cambi_edges(s->job.scale, s->job.frame, y);
        for (int word = s->job.begin >> 6; word <= (s->job.behind - 1) >> 6; word++)
            runs += __builtin_popcountll(edges[word].begins);
    }
    if (16 * runs < columns)
        return false;
    runs = 0;
    for (int y = 0; y < s->job.scale->height; y += CAMBI_SAMPLED) {
        int count = list_part(s, y, s->job.begin, s->job.behind, s->list, 0);
        for (int r = 0; r < count; r++)
            pixels += s->end[r] - (s->list->run[r] & 0xffff);
        runs += count;
    }
    return 2 * pixels < 3 * runs;
}

static void start_points(Strip *s)
{
    for (int i = 0; i <= 2 * s->job.radius; i++) {
        s->of_points.change[0][CAMBI_LANES16 + i] = 1;
        s->of_points.change[1][CAMBI_LANES16 + i] = 1 << 8;
    }
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        for (int d = 0; d < CAMBI_POINT_CONTRASTS; d++)
            s->of_points.gate[v] |= (s->value.visible[CAMBI_PAD + v] >> d & 1 ? 0xffu : 0) << 8 * d;
    for (int v = -CAMBI_POINT_CONTRASTS; v <= s->job.tables->high - s->job.tables->low + CAMBI_POINT_CONTRASTS + 1;
         v += 2)
        memset(s->pair + (v / 2 + 2) * CAMBI_PITCH, 0, (s->job.room + CAMBI_LANES16) * sizeof *s->pair);
}
