/*
 * The contrast stage of CAMBI for one instruction set.
 *
 * A strip of columns is walked downwards. For every value there is a row of counters: how many masked pixels of that
 * value the window around each column holds. A run of equal pixels that enters or leaves the windows changes its
 * value's counters by a trapezoid: a few vectors a run instead of a window of counters a pixel. For the pixels of the
 * current row the counters of their own and of the neighbouring values are gathered run by run into plain rows, and
 * the terms are computed from those, a vector of pixels at a time. A run none of whose neighbouring values occurs in
 * the strip's window rows needs neither.
 */
#include "cpu/cambi_contrast.h"

#include <string.h>

#include "cpu/simd.h"

#include "arith/cambi.h"
#include "mem.h"

#define LANES16 (2 * FV_LANES)
/* Counters of one value: a vector may reach past the strip. An odd number of cache lines spreads them over the sets. */
#define COUNTERS (FV_CAMBI_STRIP + 32)
#define PAD 64 /* of value-indexed arrays, in front and behind */
#define VALUES (FV_CAMBI_LEVELS + 2 * PAD)
#define RAMP 1024 /* more than a strip and two windows */
#define AHEAD 4 /* rows between prefetching and use */
#define FLUSH 4 /* rows whose c-values a lane adds up exactly: 4 * 1024 / 2 * 9 / 4 * 255^2 * 2^24 < 2^53 */

typedef struct Strip {
    uint16_t count[FV_CAMBI_LEVELS + 2 * FV_CAMBI_CONTRASTS][COUNTERS]; /* [v + FV_CAMBI_CONTRASTS] */
    uint16_t ramp[2 * RAMP]; /* [RAMP + i]: i + 1, at least 0, at most the window */
    uint16_t own[COUNTERS];                       /* N(v) of the pixels of a row that have a partner, else 0 */
    uint16_t other[FV_CAMBI_CONTRASTS][COUNTERS]; /* A(d) */
    int32_t total[VALUES];                        /* pixels of each value in the rows and columns under way */
    uint8_t present[VALUES / 8 + 9];              /* bit PAD + v: total is not 0 */
    uint8_t mirrored[VALUES / 8 + 9];             /* the same at bit VALUES - PAD - v */
    uint8_t cleared[FV_CAMBI_LEVELS + 2 * FV_CAMBI_CONTRASTS]; /* the row of counters has been set to 0 */
    uint8_t booked[FV_CAMBI_LEVELS];              /* all rows that v can meet have been */
    const FvCambiTables *tables;
    const FvCambiScale *scale;
    void *frame;
    int left, columns, radius;
    int begin, end; /* columns that are in some window of the strip */
    uint32_t used;  /* contrasts that occur in the current row */
    uint64_t fixed; /* sum of c times 2^24 */
    int64_t nonzero;
    fv_f64 sum; /* of c, since the last flush */
    fv_i32 zeros;
} Strip;

FV_FN fv_i16 iota16(void)
{
    fv_i16 v;
    for (int i = 0; i < LANES16; i++)
        v[i] = (int16_t)i;
    return v;
}

static void mark(Strip *s, int v)
{
    int up = PAD + v, down = VALUES - PAD - v;
    s->present[up >> 3] ^= (uint8_t)(1 << (up & 7));
    s->mirrored[down >> 3] ^= (uint8_t)(1 << (down & 7));
}

/* Contrasts for which value v has a partner, bit d - 1 each. */
FV_FN uint32_t partners(const Strip *s, int v)
{
    int up = PAD + v + 1, down = VALUES - PAD - v + 1;
    uint64_t above = FV_LOAD(uint64_t, s->present + (up >> 3)) >> (up & 7);
    uint64_t below = FV_LOAD(uint64_t, s->mirrored + (down >> 3)) >> (down & 7);
    return (uint32_t)(above | below);
}

FV_FN uint16_t *counts_of(Strip *s, int v)
{
    return s->count[v + FV_CAMBI_CONTRASTS];
}

/* Clears the counters of value v, which is new to the strip, and those of its possible partners. */
static __attribute__((noinline)) void clear_counts(Strip *s, int v)
{
    s->booked[v] = 1;
    for (int u = v - s->tables->contrasts; u <= v + s->tables->contrasts; u++)
        if (!s->cleared[u + FV_CAMBI_CONTRASTS]) {
            s->cleared[u + FV_CAMBI_CONTRASTS] = 1;
            memset(counts_of(s, u), 0, COUNTERS * sizeof(uint16_t));
        }
}

/* Books the pixels of a run of value v. */
FV_FN void book_run(Strip *s, int pixels, int v)
{
    int32_t before = s->total[PAD + v], after = before + pixels;
    s->total[PAD + v] = after;
    if (!before | !after)
        mark(s, v);
    if (!s->booked[v])
        clear_counts(s, v);
}

/* What walks along a row need at every run. */
typedef struct Walk {
    const uint16_t *ramp; /* for a run that starts at column 0 */
    int left, columns, radius;
} Walk;

FV_FN Walk walk_of(const Strip *s)
{
    return (Walk){s->ramp + RAMP + s->left + s->radius, s->left, s->columns, s->radius};
}

/*
 * The run [a, b) of value v enters the windows or leaves them: a trapezoid, the difference of the ramps that begin
 * where the first and where the last of its pixels comes into the window.
 */
FV_FN void slide_run(Strip *s, const Walk *w, int a, int b, int v, bool enter)
{
    book_run(s, enter ? b - a : a - b, v);
    uint16_t *count = counts_of(s, v);
    int first = a - w->radius - w->left, end = b + w->radius - w->left;
    const uint16_t *plus = w->ramp - (enter ? a : b), *minus = w->ramp - (enter ? b : a);
    int start = first < 0 ? 0 : first & -LANES16, stop = end < w->columns ? end : w->columns;
    for (int i = start; i < stop; i += LANES16)
        FV_STORE(count + i, FV_LOAD(fv_u16, count + i) + FV_LOAD(fv_u16, plus + i) - FV_LOAD(fv_u16, minus + i));
}

/* A of a contrast of d + 1 codes for a vector of pixels; `own` are the counters of their value. */
FV_FN void collect_other(Strip *s, const uint16_t *own, int i, int d, fv_i16 inside)
{
    fv_u16 upper = FV_LOAD(fv_u16, own + (d + 1) * COUNTERS), lower = FV_LOAD(fv_u16, own - (d + 1) * COUNTERS);
    FV_STORE(s->other[d] + i, fv_max_u16(upper, lower) & (fv_u16)inside);
}

/* Collects the counters that the run [a, b) of value v needs. Returns the contrasts for which it has partners. */
FV_FN uint32_t collect_run(Strip *s, const Walk *w, int a, int b, int v)
{
    uint32_t contrasts = partners(s, v) & s->tables->visible[v];
    if (!contrasts)
        return 0;
    int start = a - w->left, stop = b - w->left;
    const uint16_t *count = counts_of(s, v);
    for (int i = start; i < stop; i += LANES16) {
        fv_i16 inside = (int16_t)(stop - i) > iota16();
        FV_STORE(s->own + i, FV_LOAD(fv_i16, count + i) & inside);
        if (contrasts == 15)
            for (int d = 0; d < 4; d++)
                collect_other(s, count + i, i, d, inside);
        else
            for (uint32_t rest = contrasts; rest; rest &= rest - 1)
                collect_other(s, count + i, i, __builtin_ctz(rest), inside);
    }
    return contrasts;
}

/* The value of a run, or -1 when it does not count. */
FV_FN int value_of(const FvCambiTables *tables, uint16_t sample)
{
    unsigned v = (unsigned)sample - FV_CAMBI_MASKED;
    return v - (unsigned)tables->low <= (unsigned)(tables->high - tables->low) ? (int)v : -1;
}

/* The runs of columns [begin, end) of a row, one after the other. */
typedef struct Runs {
    const uint64_t *edges;
    uint64_t bits; /* edges behind the current run in its word */
    int word, last, end;
} Runs;

FV_FN Runs runs_of(const uint64_t *edges, int begin, int end)
{
    Runs runs = {.edges = edges, .word = (begin + 1) >> 6, .last = (end - 1) >> 6, .end = end};
    runs.bits = runs.word <= runs.last ? edges[runs.word] & ~(uint64_t)0 << ((begin + 1) & 63) : 0;
    return runs;
}

/* Where the current run ends, which is where the next one begins. */
FV_FN int next_edge(Runs *runs)
{
    while (!runs->bits && runs->word < runs->last)
        runs->bits = runs->edges[++runs->word];
    int edge = runs->bits ? runs->word * 64 + __builtin_ctzll(runs->bits) : runs->end;
    runs->bits &= runs->bits - 1;
    return edge < runs->end ? edge : runs->end;
}

FV_FN void slide_row(Strip *s, int y, bool enter)
{
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y);
    const Walk walk = walk_of(s);
    Runs runs = runs_of(fv_cambi_edges(s->scale, s->frame, y), s->begin, s->end);
    for (int a = s->begin, b, end = s->end; a < end; a = b) {
        b = next_edge(&runs);
        int v = value_of(s->tables, samples[a]);
        if (v >= 0)
            slide_run(s, &walk, a, b, v, enter);
    }
}

/* Both at once for rows that have the same edges: nothing changes where they also have the same values. */
static __attribute__((noinline)) void exchange_rows(Strip *s, int in, int out)
{
    const uint16_t *entering = fv_cambi_row(s->scale, s->frame, in), *leaving = fv_cambi_row(s->scale, s->frame, out);
    const Walk walk = walk_of(s);
    Runs runs = runs_of(fv_cambi_edges(s->scale, s->frame, in), s->begin, s->end);
    for (int a = s->begin, b, end = s->end; a < end; a = b) {
        b = next_edge(&runs);
        if (entering[a] == leaving[a])
            continue;
        int v = value_of(s->tables, entering[a]), u = value_of(s->tables, leaving[a]);
        if (v >= 0)
            slide_run(s, &walk, a, b, v, true);
        if (u >= 0)
            slide_run(s, &walk, a, b, u, false);
    }
}

static bool same_edges(const Strip *s, int y, int z)
{
    int first = s->begin >> 6, words = ((s->end - 1) >> 6) + 1 - first;
    return !memcmp(fv_cambi_edges(s->scale, s->frame, y) + first, fv_cambi_edges(s->scale, s->frame, z) + first,
                   (size_t)words * sizeof(uint64_t));
}

/*
 * A run needs one sample of its row: too sparse for the processor to foresee. Inline, because GCC drops a call that
 * does nothing else than prefetch.
 */
FV_FN void prefetch_row(const Strip *s, int y)
{
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y);
    for (int x = s->begin; x < s->end; x += 32)
        __builtin_prefetch(samples + x);
    const uint64_t *edges = fv_cambi_edges(s->scale, s->frame, y);
    for (int word = s->begin >> 6; word < (s->end >> 6) + 8; word += 8)
        __builtin_prefetch(edges + word);
}

static __attribute__((noinline)) void enter_row(Strip *s, int y)
{
    slide_row(s, y, true);
}

static __attribute__((noinline)) void leave_row(Strip *s, int y)
{
    slide_row(s, y, false);
}

/* Moves the windows down to row y. */
static void slide(Strip *s, int y)
{
    int in = y + s->radius, out = y - s->radius - 1;
    if (in + AHEAD < s->scale->height)
        prefetch_row(s, in + AHEAD);
    if (in < s->scale->height && out >= 0 && same_edges(s, in, out)) {
        exchange_rows(s, in, out);
        return;
    }
    if (in < s->scale->height)
        enter_row(s, in);
    if (out >= 0)
        leave_row(s, out);
}

static __attribute__((noinline)) void collect_row(Strip *s, int y)
{
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y);
    const Walk walk = walk_of(s);
    Runs runs = runs_of(fv_cambi_edges(s->scale, s->frame, y), s->left, s->left + s->columns);
    s->used = 0;
    for (int a = s->left, b, end = s->left + s->columns; a < end; a = b) {
        b = next_edge(&runs);
        int v = value_of(s->tables, samples[a]);
        if (v >= 0)
            s->used |= collect_run(s, &walk, a, b, v);
    }
}

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

FV_FN bool any(fv_i32 truth)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)truth, (__m512i)truth);
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)truth, (__m256i)truth);
#elif defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)truth);
#else
    return vmaxvq_u32((uint32x4_t)truth);
#endif
}

FV_FN fv_f32 lookup(const float *table, fv_i32 i)
{
#if defined(__AVX512F__)
    return (fv_f32)_mm512_i32gather_ps((__m512i)i, table, 4);
#elif defined(__AVX2__)
    return (fv_f32)_mm256_i32gather_ps(table, (__m256i)i, 4);
#else
    return (fv_f32){table[i[0]], table[i[1]], table[i[2]], table[i[3]]};
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

/* c of FV_LANES pixels from the collected counters, which are reset to 0. */
FV_FN fv_f32 terms(Strip *s, int i)
{
    const fv_u16_half none = {0};
    fv_i32 own = fv_i32_from_u16(FV_LOAD(fv_u16_half, s->own + i));
    fv_f32 weightless = fv_f32_from_i32(own), c = {0};
    FV_STORE(s->own + i, none);
    for (uint32_t rest = s->used; rest; rest &= rest - 1) {
        int d = __builtin_ctz(rest);
        if (is_zero(s->other[d] + i))
            continue;
        fv_i32 other = fv_i32_from_u16(FV_LOAD(fv_u16_half, s->other[d] + i));
        FV_STORE(s->other[d] + i, none);
        c = fv_max_f32(c, fv_cambi_term(fv_cambi_weight[d], weightless, fv_f32_from_i32(other),
                                        lookup(s->tables->reciprocal, own + other)));
    }
    return c;
}

static __attribute__((noinline)) void sum_row(Strip *s, int y, uint32_t *histogram)
{
    float *kept = histogram ? fv_cambi_c(s->scale, s->frame, y) + s->left : NULL;
    for (int i = 0; i < s->columns; i += FV_LANES) {
        fv_f32 c = {0};
        if (!is_zero(s->own + i)) {
            c = terms(s, i);
            s->sum += widen_low(c) + widen_high(c);
            s->zeros += c > (fv_f32){0};
        }
        if (kept)
            FV_STORE(kept + i, c);
    }
}

static void count_row(const Strip *s, int y, uint32_t *histogram)
{
    const float *kept = fv_cambi_c(s->scale, s->frame, y) + s->left;
    for (int i = 0; i < s->columns; i++) {
        uint32_t bits = FV_LOAD(uint32_t, kept + i);
        if (bits)
            histogram[(bits >> FV_CAMBI_BIN_SHIFT) - FV_CAMBI_FIRST_BIN]++;
    }
}

/* Moves what the vectors hold into the integers. */
static void flush(Strip *s)
{
    for (int i = 0; i < FV_LANES / 2; i++)
        s->fixed += (uint64_t)(s->sum[i] * 0x1p24);
    for (int i = 0; i < FV_LANES; i++)
        s->nonzero -= s->zeros[i];
    s->sum = (fv_f64){0};
    s->zeros = (fv_i32){0};
}

static void start(Strip *s, const FvCambiPicture *picture, void *frame, const FvCambiScale *scale, int left, int columns)
{
    memset((char *)s + offsetof(Strip, ramp), 0, sizeof *s - offsetof(Strip, ramp));
    s->tables = picture->tables;
    s->scale = scale;
    s->frame = frame;
    s->left = left;
    s->columns = columns;
    s->radius = picture->radius;
    for (int i = 0; i < RAMP; i++)
        s->ramp[RAMP + i] = (uint16_t)(i < picture->window ? i + 1 : picture->window);
    s->begin = left > s->radius ? left - s->radius : 0;
    s->end = left + columns + s->radius < scale->width ? left + columns + s->radius : scale->width;
}

FvCambiSum FV_ISA_STRUCT(fv_cambi_contrast)(const FvCambiPicture *picture, void *frame, int scale, int left,
                                            int columns, uint32_t *histogram, void *scratch)
{
    Strip *s = scratch;
    start(s, picture, frame, &picture->scale[scale], left, columns);
    int height = s->scale->height;
    for (int y = -s->radius; y < height; y++) {
        slide(s, y);
        if (y < 0)
            continue;
        collect_row(s, y);
        if (s->used || histogram)
            sum_row(s, y, histogram);
        if (s->used && histogram)
            count_row(s, y, histogram);
        if (y % FLUSH == FLUSH - 1)
            flush(s);
    }
    flush(s);
    return (FvCambiSum){s->fixed, s->nonzero};
}

uint64_t FV_ISA_STRUCT(fv_cambi_select)(const FvCambiScale *scale, void *frame, int bin, uint32_t *count)
{
    uint32_t first = (uint32_t)(FV_CAMBI_FIRST_BIN + bin) << FV_CAMBI_BIN_SHIFT;
    uint64_t fixed = 0;
    for (int y = 0; y < scale->height; y++) {
        const float *c = fv_cambi_c(scale, frame, y);
        fv_f64 sum = {0};
        for (int x = 0; x < scale->width; x += FV_LANES) {
            fv_f32 v = FV_LOAD(fv_f32, c + x);
            fv_i32 offset = (fv_i32)v - (int32_t)first;
            fv_f32 above = fv_sel_f32(offset >= FV_CAMBI_IN_BIN, v, (fv_f32){0});
            sum += widen_low(above) + widen_high(above);
            fv_i32 within = (fv_i32)((fv_u32)offset < (uint32_t)FV_CAMBI_IN_BIN);
            if (any(within))
                for (int i = 0; i < FV_LANES; i++)
                    if (within[i])
                        count[offset[i]]++;
        }
        for (int i = 0; i < FV_LANES / 2; i++)
            fixed += (uint64_t)(sum[i] * 0x1p24);
    }
    return fixed;
}

size_t FV_ISA_STRUCT(fv_cambi_contrast_scratch)(void)
{
    return sizeof(Strip);
}
