/*
 * The contrast stage of CAMBI for one instruction set.
 *
 * A strip of columns is walked downwards. For every value there is a row of counters: how many masked pixels of that
 * value the window around each column holds. The runs of equal pixels of a row that can make a difference are listed
 * once, when the row enters the windows; the list serves when it enters, when it is the current row and when it leaves.
 * A run that enters or leaves changes its value's counters by a trapezoid: a few vectors a run instead of a window of
 * counters a pixel. For the pixels of the current row the counters of their own and of the neighbouring values are
 * collected run by run into plain rows, and the terms are computed from those, a vector of pixels at a time. A run none
 * of whose neighbouring values occurs in the strip's window rows needs neither. Most windows hold so few pixels of two
 * values that the reciprocal of their number is a quotient, which costs less than looking it up.
 *
 * Runs are short and come by the million, so what is done for each has no branch that depends on the picture, as far
 * as possible: a mispredicted one costs as much as all the rest of a visit.
 */
#include "cpu/cambi_contrast.h"

#include <string.h>

#include "cpu/simd.h"

#include "arith/cambi.h"
#include "mem.h"

/* Counters are moved by 32 bytes at most: wider vectors would mostly hold what does not change. */
#if defined(__AVX512F__)
typedef fv_u16_half Counters;
#else
typedef fv_u16 Counters;
#endif
#define LANES16 (2 * FV_LANES)
#define STEP ((int)(sizeof(Counters) / sizeof(uint16_t)))

#define PITCH FV_CAMBI_COUNTERS /* of the counters of one value */
#define RADIUS (FV_CAMBI_WINDOW / 2)
#define SHORT 16 /* pixels of a run whose trapezoid is tabled */
#define TRAPEZOID (2 * RADIUS + SHORT + 3 * STEP)
#define ROW (FV_CAMBI_STRIP + 64) /* what is collected of one row: a vector may reach past the strip */
#define GROUP 32 /* pixels whose reciprocals come from one place */
#define LOOK 8 /* one row in so many finds out where */
#define MANY 12 /* more edges than these among 64 pixels are listed by vectors */
#define AHEAD 4 /* rows between prefetching and use */
#define SOON 512 /* values between prefetching and use */
#define FLUSH 4 /* rows whose c-values a lane adds up exactly: 4 * 1024 / 2 * 9 / 4 * 255^2 * 2^24 < 2^53 */
#define ABSENT (-1)
#define PAD (2 * FV_CAMBI_CONTRASTS) /* of value-indexed arrays, in front and behind */

/*
 * The runs of a row that can make a difference. Columns are counted from where the window of the strip's first column
 * begins; runs are cut where the strip begins and ends. What each visit of a run would work out again stands here.
 */
typedef struct List {
    int inner, outer, count; /* runs [inner, outer) lie within the strip */
    uint32_t run[PITCH];     /* the column, and from bit 16 on the value, above the lowest one that counts */
    uint32_t at[PITCH];      /* the first vector of counters that the run changes, counted from the first of value 0 */
    uint32_t shape[PITCH];   /* where the change stands, for a short run, and from bit 16 on how many pixels it has */
} List;

/* Eight lanes: most runs are short, and vectors at any place cross cache lines the more often the wider they are. */
typedef uint16_t Eight __attribute__((vector_size(16)));

typedef struct Strip {
    uint16_t count[(FV_CAMBI_LEVELS + PAD) * PITCH + 32]; /* see counts_of; columns as in List, P earlier */
    uint16_t ramp[2 * PITCH + 32];        /* [PITCH + i]: i + 1, at least 0, at most the window */
    uint16_t trapezoid[SHORT + 1][TRAPEZOID]; /* [n]: STEP zeros, what n pixels change, zeros */
    uint64_t packing[256];                /* [bits]: the places of those set, a byte each; for eight lanes */
    uint32_t end[PITCH];                  /* the columns behind the runs of the list that is being made */
    uint16_t own[ROW];                    /* N(v) of the pixels of a row that have a partner, else 0; see collect_runs */
    uint16_t both[FV_CAMBI_CONTRASTS][ROW]; /* N(v) + A(d); anything where own is 0 */
    Eight gate[16][4];                    /* all bits of [n][i] are set when bit i of n is */
    uint16_t bin[ROW];                    /* one more than the bins of c-values, 0 for c = 0 */
    int32_t last[FV_CAMBI_LEVELS];        /* the lowest row under way that has the value, ABSENT when none has */
    uint8_t present[FV_CAMBI_LEVELS + 2 * PAD]; /* [PAD + v]: one has */
    uint32_t visible[FV_CAMBI_LEVELS + 2 * PAD]; /* [PAD + v]: of FvCambiTables, at its lowest value that counts */
    uint32_t partners[FV_CAMBI_LEVELS + 2 * PAD]; /* [PAD + v], bit d - 1: v has a visible partner d codes away */
    uint8_t cleared[FV_CAMBI_LEVELS + PAD];   /* the row of counters has been set to 0 */
    uint8_t booked[FV_CAMBI_LEVELS];      /* all rows that v can meet have been */
    uint32_t tally[4][FV_CAMBI_BINS + 1]; /* how often each `bin` occurred, every fourth one in one of them */
    const FvCambiTables *tables;
    const FvCambiScale *scale;
    void *frame;
    int left, columns, radius;
    int begin, behind; /* columns that are in some window of the strip, and the one after them */
    int vectors;     /* that any trapezoid of SHORT touches */
    size_t room;     /* counters of a value that are in use, vectors included */
    int ring;        /* lists, and rows under way */
    int listed;      /* the list made last */
    uint32_t used;   /* contrasts that occur in the current row */
    uint64_t fixed;  /* sum of c times 2^24 */
    int64_t nonzero;
    bool look;       /* in the last row that found out, many reciprocals could come from elsewhere than the table */
    int collected;   /* of the current row: columns or pixels */
    int binned;
    fv_f64 sum, row_sum; /* of c, since the last flush and in the current row */
    fv_i32 zeros, row_zeros;
    int list_number[FV_CAMBI_WINDOW + 1]; /* of the rows under way, a row's at its number modulo `ring` */
    List list[];
} Strip;

/* ---- Lists of runs ------------------------------------------------------------------------------------------ */

static List *list_of(Strip *s, int y)
{
    return &s->list[s->list_number[y % s->ring]];
}

/* Where a list is continued: a run that has begun may end later. */
typedef struct Tail {
    uint32_t *run, *end;
} Tail;

#if defined(__AVX2__)
/* The lanes of a vector whose bits are set, one after the other from the first lane on. */
FV_FN fv_i32 packed(const Strip *s, fv_i32 v, uint32_t lanes)
{
#if defined(__AVX512F__)
    (void)s;
    return (fv_i32)_mm512_maskz_compress_epi32((__mmask16)lanes, (__m512i)v);
#else
    __m128i order = _mm_loadl_epi64((const __m128i *)&s->packing[lanes]);
    return (fv_i32)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_cvtepu8_epi32(order));
#endif
}

/* list_word for many edges. */
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

/* Lists what begins and ends in 64 samples, the first of which is in column x. */
FV_FN Tail list_word(const Strip *s, Tail to, const uint16_t *sample, uint16_t low, uint32_t x, FvCambiEdges edges)
{
#if defined(__AVX2__)
    if (__builtin_popcountll(edges.begins | edges.ends) > MANY)
        return list_vectors(s, to, sample, low, x, edges);
#else
    (void)s;
#endif
    for (; edges.begins; edges.begins &= edges.begins - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(edges.begins);
        *to.run++ = (uint32_t)(uint16_t)(sample[i] - low) << 16 | (x + i);
    }
    for (; edges.ends; edges.ends &= edges.ends - 1)
        *to.end++ = x + (uint32_t)__builtin_ctzll(edges.ends);
    return to;
}

/* Lists the runs of columns [begin, end) of row y behind the first `count`. Returns how many there are then. */
FV_FN int list_part(Strip *s, int y, int begin, int end, List *list, int count)
{
    if (begin >= end)
        return count;
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y);
    const FvCambiEdges *edges = fv_cambi_edges(s->scale, s->frame, y);
    const FvCambiTables *tables = s->tables;
    const uint16_t low = (uint16_t)(FV_CAMBI_MASKED + tables->low), span = (uint16_t)(tables->high - tables->low);
    const int origin = s->left - s->radius, last = (end - 1) >> 6;
    const bool cut = (uint16_t)(samples[begin] - low) <= span; /* a run that begins earlier, or here */
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
    *to.end = (uint32_t)(end - origin); /* of a run that reaches it */
    return count;
}

/* Works out what visits of the runs need. */
FV_FN void shape_runs(const Strip *s, List *list)
{
    for (int r = 0; r < list->count; r += FV_LANES) {
        fv_u32 run = FV_LOAD(fv_u32, list->run + r), a = run & 0xffff, offset = run % STEP;
        fv_u32 pixels = FV_LOAD(fv_u32, s->end + r) - a;
        FV_STORE(list->at + r, (run >> 16) * PITCH + a - offset);
        FV_STORE(list->shape + r, pixels << 16 | ((pixels * TRAPEZOID + STEP - offset) & 0xffff));
    }
}

/* A row like the one above has its list. */
static __attribute__((noinline)) void list_row(Strip *s, int y)
{
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y) + s->begin;
    size_t bytes = (size_t)(s->behind - s->begin) * sizeof *samples;
    bool repeated = y > 0 && !memcmp(samples, samples - s->scale->stride, bytes);
    if (!repeated)
        s->listed = s->listed + 1 < s->ring ? s->listed + 1 : 0;
    s->list_number[y % s->ring] = s->listed;
    if (repeated)
        return;
    List *list = list_of(s, y);
    int right = s->left + s->columns;
    list->inner = list_part(s, y, s->begin, s->left, list, 0);
    list->outer = list_part(s, y, s->left, right, list, list->inner);
    list->count = list_part(s, y, right, s->behind, list, list->outer);
    shape_runs(s, list);
}

static bool same_runs(const List *a, const List *b)
{
    return a == b || (a->count == b->count && !memcmp(a->run, b->run, (size_t)a->count * sizeof *a->run) &&
                      !memcmp(a->shape, b->shape, (size_t)a->count * sizeof *a->shape));
}

/* ---- Counters ----------------------------------------------------------------------------------------------- */

/* Counters of value v; the first one belongs to the column P before the first of a List. */
FV_FN uint16_t *counts_of(Strip *s, int v)
{
    return s->count + (v + FV_CAMBI_CONTRASTS) * PITCH;
}

/* Value v has come into the rows under way, or has left them: a partner less or more for values up to D codes away. */
FV_FN void turn_partners(Strip *s, int v, uint32_t present, const int contrasts)
{
    const uint8_t *there = s->present + PAD + v;
    const uint32_t *visible = s->visible + PAD + v;
    uint32_t *partners = s->partners + PAD + v;
    for (int d = 1; d <= contrasts; d++) {
        const uint32_t bit = 1u << (d - 1);
        partners[d] = (partners[d] & ~bit) | ((present | there[2 * d]) << (d - 1) & visible[d]);
        partners[-d] = (partners[-d] & ~bit) | ((present | there[-2 * d]) << (d - 1) & visible[-d]);
    }
}

static __attribute__((noinline)) void turn(Strip *s, int v, bool present)
{
    const int contrasts = s->tables->contrasts;
    s->present[PAD + v] = present;
    if (contrasts == 4)
        turn_partners(s, v, present, 4);
    else
        turn_partners(s, v, present, contrasts);
    if (s->booked[v])
        return;
    s->booked[v] = 1;
    for (int u = v - contrasts; u <= v + contrasts; u++)
        if (!s->cleared[u + FV_CAMBI_CONTRASTS]) {
            s->cleared[u + FV_CAMBI_CONTRASTS] = 1;
            memset(counts_of(s, u), 0, s->room * sizeof(uint16_t));
        }
}

/*
 * The runs of row y enter the windows or leave them. Each changes the counters by a trapezoid: the difference of the
 * ramps that begin where the first and where the last of its pixels comes into the window. Counters are moved at
 * aligned places, so that what a run stores can be handed on to the next one of the same value.
 */
FV_FN void slide_runs(Strip *s, int y, bool enter, const int vectors)
{
    const List *list = list_of(s, y);
    uint16_t *const counts = counts_of(s, 0);
    const uint16_t *const trapezoids = s->trapezoid[0];
    int32_t *const last = s->last;
    for (ptrdiff_t r = 0, runs = list->count; r < runs; r++) {
        const uint32_t v = list->run[r] >> 16, shape = list->shape[r];
        uint16_t *count = counts + list->at[r];
        if (enter) {
            if (__builtin_expect(last[v] == ABSENT, 0))
                turn(s, (int)v, true);
            last[v] = y;
        } else if (__builtin_expect(last[v] == y, 0)) {
            turn(s, (int)v, false);
            last[v] = ABSENT;
        }
        if (__builtin_expect(shape < (SHORT + 1) << 16, 1)) {
            const uint16_t *change = trapezoids + (uint16_t)shape;
            for (ptrdiff_t i = 0; i < vectors * STEP; i += STEP)
                FV_STORE(count + i, enter ? FV_LOAD(Counters, count + i) + FV_LOAD(Counters, change + i)
                                          : FV_LOAD(Counters, count + i) - FV_LOAD(Counters, change + i));
        } else {
            const ptrdiff_t pixels = shape >> 16, offset = list->run[r] % STEP, stop = offset + pixels + 2 * s->radius;
            const uint16_t *begins = s->ramp + PITCH - offset, *ends = begins - pixels;
            const uint16_t *plus = enter ? begins : ends, *minus = enter ? ends : begins;
            for (ptrdiff_t i = 0; i < stop; i += STEP)
                FV_STORE(count + i, FV_LOAD(Counters, count + i) + FV_LOAD(Counters, plus + i) -
                                        FV_LOAD(Counters, minus + i));
        }
    }
}

/* The usual numbers of vectors (1080 and 2160 lines) as constants. */
FV_FN void slide_row(Strip *s, int y, bool enter)
{
    if (s->vectors == (2 * STEP + SHORT + 2 * 16 - 2) / STEP)
        slide_runs(s, y, enter, (2 * STEP + SHORT + 2 * 16 - 2) / STEP);
    else if (s->vectors == (2 * STEP + SHORT + 2 * 32 - 2) / STEP)
        slide_runs(s, y, enter, (2 * STEP + SHORT + 2 * 32 - 2) / STEP);
    else
        slide_runs(s, y, enter, s->vectors);
}

static __attribute__((noinline)) void enter_row(Strip *s, int y)
{
    slide_row(s, y, true);
}

static __attribute__((noinline)) void leave_row(Strip *s, int y)
{
    slide_row(s, y, false);
}

/* Row y enters the windows as one leaves that has the same runs. */
static void renew_row(Strip *s, int y)
{
    const List *list = list_of(s, y);
    for (int r = 0; r < list->count; r++)
        s->last[list->run[r] >> 16] = y;
}

/*
 * A run needs one sample of its row: too sparse for the processor to foresee. Inline, because GCC drops a call that
 * does nothing else than prefetch.
 */
FV_FN void prefetch_row(const Strip *s, int y)
{
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y);
    for (int x = s->begin; x < s->behind; x += 32)
        __builtin_prefetch(samples + x);
    const FvCambiEdges *edges = fv_cambi_edges(s->scale, s->frame, y);
    for (int word = s->begin >> 6; word < (s->behind >> 6) + 4; word += 4)
        __builtin_prefetch(edges + word);
}

/*
 * Moves the windows down to row y. Returns whether that changed anything: it does not when the entering and the leaving
 * row have the same runs.
 */
static bool slide(Strip *s, int y)
{
    int in = y + s->radius, out = y - s->radius - 1;
    bool enters = in < s->scale->height, leaves = out >= 0;
    if (in + AHEAD < s->scale->height)
        prefetch_row(s, in + AHEAD);
    if (enters)
        list_row(s, in);
    if (enters && leaves && same_runs(list_of(s, in), list_of(s, out))) {
        renew_row(s, in);
        return false;
    }
    if (enters)
        enter_row(s, in);
    if (leaves)
        leave_row(s, out);
    return enters || leaves;
}

/* ---- The current row ---------------------------------------------------------------------------------------- */

FV_FN Eight greater(Eight a, Eight b)
{
#if defined(__AVX2__)
    return (Eight)_mm_max_epu16((__m128i)a, (__m128i)b);
#else
    return fv_max_u16(a, b);
#endif
}

/* Collects what eight pixels need whose value has partners for some contrasts, a row of gates. */
FV_FN void collect_eight(const uint16_t *count, uint16_t *own, const Eight *gate[], const int contrasts)
{
    Eight n = FV_LOAD(Eight, count);
    FV_STORE(own, n);
    for (int d = 0; d < contrasts; d++) {
        Eight upper = FV_LOAD(Eight, count + (d + 1) * PITCH), lower = FV_LOAD(Eight, count - (d + 1) * PITCH);
        FV_STORE(own + (d + 1) * ROW, n + (greater(upper, lower) & gate[d / 4][d % 4]));
    }
}

/* When c-values are kept, what is collected of a pixel stands in its column, else behind that of the pixel before. */
FV_FN void collect_runs(Strip *s, int y, bool in_place, const int contrasts)
{
    const List *list = list_of(s, y);
    const uint16_t *const counts = counts_of(s, 0) + s->radius;
    uint16_t *const owns = s->own - s->radius, *own = s->own;
    uint32_t used = 0;
    for (ptrdiff_t r = list->inner, outer = list->outer; r < outer; r++) {
        const uint32_t run = list->run[r], a = run & 0xffff, v = run >> 16, partners = s->partners[PAD + v];
        if (!partners)
            continue;
        used |= partners;
        const Eight *gate[FV_CAMBI_CONTRASTS / 4];
        for (int d = 0; d < contrasts; d += 4)
            gate[d / 4] = s->gate[partners >> d & 15];
        const uint16_t *count = counts + (size_t)(v * PITCH + a);
        const ptrdiff_t pixels = list->shape[r] >> 16;
        if (in_place)
            own = owns + a;
        collect_eight(count, own, gate, contrasts);
        for (ptrdiff_t i = 8; __builtin_expect(i < pixels, 0); i += 8)
            collect_eight(count + i, own + i, gate, contrasts);
        own += pixels;
        if (in_place)
            FV_STORE(own, (Eight){0});
    }
    s->used = used;
    if (in_place) {
        s->collected = s->columns;
        return;
    }
    s->collected = (int)(own - s->own);
    for (int i = 0; i < GROUP; i += LANES16)
        FV_STORE(own + i, (fv_u16){0});
}

/* Four contrasts are the usual number. */
static __attribute__((noinline)) void collect_row(Strip *s, int y, bool in_place)
{
    if (s->tables->contrasts == 4 && in_place)
        collect_runs(s, y, true, 4);
    else if (s->tables->contrasts == 4)
        collect_runs(s, y, false, 4);
    else
        collect_runs(s, y, in_place, s->tables->contrasts);
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

/* A bit for each lane. */
FV_FN uint32_t bits_of(fv_i32 truth)
{
#if defined(__AVX512F__)
    return _mm512_movepi32_mask((__m512i)truth);
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)truth);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)truth);
#else
    const uint32x4_t place = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32((uint32x4_t)truth, place));
#endif
}

/* Numbers from a table. Loads of one each are faster than the gathers of many processors. */
FV_FN fv_f32 lookup(const float *table, const uint16_t *n)
{
#define FOUR(i) table[n[i]], table[n[i + 1]], table[n[i + 2]], table[n[i + 3]]
#if defined(__AVX512F__)
    fv_f32_half low = {FOUR(0), FOUR(4)}, high = {FOUR(8), FOUR(12)};
    return (fv_f32)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)low), (__m256)high, 1);
#elif defined(__AVX2__)
    return (fv_f32){FOUR(0), FOUR(4)};
#else
    return (fv_f32){FOUR(0)};
#endif
#undef FOUR
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

FV_FN bool any_above(fv_u16 v, uint16_t limit)
{
    const fv_u16 limits = (fv_u16){0} + limit;
    return fv_any((fv_i32)(fv_max_u16(v, limits) - limits) != 0);
}

/* Where reciprocals come from. */
typedef enum Reciprocals { QUOTIENTS, NEARLY_QUOTIENTS, TABLE } Reciprocals;

FV_FN fv_i32 counted(const uint16_t *collected)
{
    return fv_i32_from_u16(FV_LOAD(fv_u16_half, collected));
}

/* c of FV_LANES pixels from what was collected of them. */
FV_FN fv_f32 terms(Reciprocals from, const float *table, const uint16_t *collected, uint32_t used, const int contrasts)
{
    const fv_f32 own = fv_f32_from_i32(counted(collected));
    fv_f32 c = {0};
    for (int d = 0; d < contrasts; d++) {
        if (!(used >> d & 1))
            continue;
        const uint16_t *place = collected + (d + 1) * ROW;
        fv_i32 both = from == TABLE ? counted(place) : fv_max_i32(counted(place), fv_splat_i32(1));
        fv_f32 reciprocal = from == TABLE              ? lookup(table, place)
                            : from == NEARLY_QUOTIENTS ? fv_cambi_reciprocal(both)
                                                       : fv_cambi_quotient(both);
        c = fv_max_f32(c, fv_cambi_term(fv_cambi_weight[d], own, fv_f32_from_i32(both) - own, reciprocal));
    }
    return c;
}

/* The quickest way to the reciprocals of GROUP pixels. */
FV_FN Reciprocals quickest(const uint16_t *collected, uint32_t used, const int contrasts)
{
    fv_u16 most = {0};
    for (int d = 0; d < contrasts; d++)
        if (used >> d & 1)
            for (int i = 0; i < GROUP; i += LANES16)
                most = fv_max_u16(most, FV_LOAD(fv_u16, collected + (d + 1) * ROW + i));
    if (any_above(most, FV_CAMBI_NEARLY_QUOTIENTS - 1))
        return TABLE;
    return any_above(most, FV_CAMBI_QUOTIENTS - 1) ? NEARLY_QUOTIENTS : QUOTIENTS;
}

/* Counts a row's c-values, which are in `bin`. */
static void count_row(Strip *s)
{
    for (int i = 0; i < s->binned; i += 4)
        for (int k = 0; k < 4; k++)
            s->tally[k][s->bin[i + k]]++;
}

/* What a row's c-values add up to. */
typedef struct Row {
    fv_f64 sum;
    fv_i32 zeros;
    int binned;
} Row;

/* Adds up the c-values of columns [begin, end), and stores them when they are kept. Nothing is collected then. */
FV_FN void sum_part(Strip *s, Row *row, int begin, int end, Reciprocals from, float *kept, uint32_t used,
                    const int contrasts)
{
    const float *const table = s->tables->reciprocal;
    for (int i = begin; i < end; i += FV_LANES) {
        fv_f32 c = {0};
        if (!is_zero(s->own + i)) {
            c = terms(from, table, s->own + i, used, contrasts);
            FV_STORE(s->own + i, (fv_u16_half){0});
            row->sum += widen_low(c) + widen_high(c);
            row->zeros += c > (fv_f32){0};
            if (kept) {
                fv_i32 bin = ((fv_i32)c >> FV_CAMBI_BIN_SHIFT) - (FV_CAMBI_FIRST_BIN - 1);
                FV_STORE(s->bin + row->binned,
                         __builtin_convertvector((fv_u32)fv_max_i32(bin, (fv_i32){0}), fv_u16_half));
                row->binned += FV_LANES;
            }
        }
        if (kept)
            FV_STORE(kept + i, c);
    }
}

/* Adds up a row. Finds out where reciprocals can come from, or takes them all from the table. */
FV_FN void sum_parts(Strip *s, bool look, float *kept, const uint32_t used, const int contrasts)
{
    const int collected = s->collected;
    int tables = 0;
    Row row = {0};
    if (!look)
        sum_part(s, &row, 0, collected, TABLE, kept, used, contrasts);
    for (int i = 0; look && i < collected; i += GROUP) {
        const int end = i + GROUP < collected ? i + GROUP : collected;
        switch (quickest(s->own + i, used, contrasts)) {
        case QUOTIENTS: sum_part(s, &row, i, end, QUOTIENTS, kept, used, contrasts); break;
        case NEARLY_QUOTIENTS: sum_part(s, &row, i, end, NEARLY_QUOTIENTS, kept, used, contrasts); break;
        case TABLE: sum_part(s, &row, i, end, TABLE, kept, used, contrasts), tables++; break;
        }
    }
    if (look)
        s->look = tables * GROUP * 4 < collected * 3;
    s->row_sum = row.sum;
    s->row_zeros = row.zeros;
    s->binned = row.binned;
}

/* Four contrasts are the usual number, all of which occur in most rows. */
static __attribute__((noinline)) void sum_row(Strip *s, int y, float *kept)
{
    const bool look = s->look || y % LOOK == 0;
    if (s->tables->contrasts == 4 && s->used == 15)
        sum_parts(s, look, kept, 15, 4);
    else if (s->tables->contrasts == 4)
        sum_parts(s, look, kept, s->used, 4);
    else
        sum_parts(s, look, kept, s->used, s->tables->contrasts);
}

/* The c-values of row y. They are those of the row above when neither the runs nor the windows' have changed. */
static void do_row(Strip *s, int y, bool changed, bool keep)
{
    float *kept = keep ? fv_cambi_c(s->scale, s->frame, y) + s->left : NULL;
    if (changed || y == 0 || !same_runs(list_of(s, y), list_of(s, y - 1))) {
        collect_row(s, y, keep);
        if (s->used || keep)
            sum_row(s, y, kept);
    } else if (keep)
        memcpy(kept, kept - s->scale->c_stride, FV_ROUND_UP((size_t)s->columns, FV_LANES) * sizeof *kept);
    if (!s->used)
        return;
    s->sum += s->row_sum;
    s->zeros += s->row_zeros;
    if (keep)
        count_row(s);
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

static void start(Strip *s, const FvCambiPicture *picture, void *frame, int scale_number, int left, int columns)
{
    const FvCambiScale *scale = &picture->scale[scale_number];
    memset((char *)s + offsetof(Strip, ramp), 0, sizeof *s - offsetof(Strip, ramp));
    s->tables = picture->tables;
    s->scale = scale;
    s->frame = frame;
    s->left = left;
    s->columns = columns;
    s->radius = picture->radius;
    s->begin = left > s->radius ? left - s->radius : 0;
    s->behind = left + columns + s->radius < scale->width ? left + columns + s->radius : scale->width;
    s->vectors = (2 * STEP + SHORT + 2 * s->radius - 2) / STEP;
    s->room = (size_t)(columns + 4 * s->radius + 48);
    s->ring = picture->window + 1;
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        s->last[v] = ABSENT;
    for (int level = 0; level < FV_CAMBI_LEVELS; level++)
        if (level - s->tables->low >= -PAD)
            s->visible[PAD + level - s->tables->low] = s->tables->visible[level];
    for (int i = 0; i < PITCH; i++)
        s->ramp[PITCH + i] = (uint16_t)(i < picture->window ? i + 1 : picture->window);
    for (int bits = 0; bits < 256 && FV_LANES == 8; bits++)
        for (uint64_t i = 0, n = 0; i < 8; n += bits >> i & 1, i++)
            s->packing[bits] |= (bits >> i & 1) * i << 8 * n;
    for (int n = 0; n < 16; n++)
        for (int i = 0; i < 4; i++)
            memset(&s->gate[n][i], n >> i & 1 ? 255 : 0, sizeof s->gate[n][i]);
    for (int pixels = 1; pixels <= SHORT; pixels++)
        for (int i = 0; i < pixels + 2 * s->radius; i++)
            s->trapezoid[pixels][STEP + i] = s->ramp[PITCH + i] - s->ramp[PITCH + i - pixels];
}

FvCambiSum FV_ISA_STRUCT(fv_cambi_contrast)(const FvCambiPicture *picture, void *frame, int scale, int left,
                                            int columns, uint32_t *histogram, void *scratch)
{
    Strip *s = scratch;
    start(s, picture, frame, scale, left, columns);
    for (int y = -s->radius; y < s->scale->height; y++) {
        bool changed = slide(s, y);
        if (y < 0)
            continue;
        do_row(s, y, changed, histogram);
        if (y % FLUSH == FLUSH - 1)
            flush(s);
    }
    flush(s);
    for (int i = 0; histogram && i < FV_CAMBI_BINS; i++)
        histogram[i] += s->tally[0][i + 1] + s->tally[1][i + 1] + s->tally[2][i + 1] + s->tally[3][i + 1];
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
            __builtin_prefetch(c + x + SOON);
            fv_f32 v = FV_LOAD(fv_f32, c + x);
            fv_i32 offset = (fv_i32)v - (int32_t)first;
            fv_f32 above = fv_sel_f32(offset >= FV_CAMBI_IN_BIN, v, (fv_f32){0});
            sum += widen_low(above) + widen_high(above);
            uint32_t within = bits_of((fv_i32)((fv_u32)offset < (uint32_t)FV_CAMBI_IN_BIN));
            if (!within)
                continue;
            int32_t offsets[FV_LANES];
            FV_STORE(offsets, offset);
            for (; within; within &= within - 1)
                count[offsets[__builtin_ctz(within)]]++;
        }
        for (int i = 0; i < FV_LANES / 2; i++)
            fixed += (uint64_t)(sum[i] * 0x1p24);
    }
    return fixed;
}

size_t FV_ISA_STRUCT(fv_cambi_contrast_scratch)(const FvCambiPicture *picture)
{
    return sizeof(Strip) + (size_t)(picture->window + 1) * sizeof(List);
}
