/*
 * Kernels of VMAF's visual information fidelity for one instruction set. Strip by strip they compute means
 * (vif_means-inl.h) and from those the gains (vif_gains-inl.h); vif_reduce-inl.h computes the frames of the next
 * scale.
 */
#include "cpu/vif.h"

#include "cpu/vif_gains-inl.h"
#include "cpu/vif_means-inl.h"
#include "cpu/vif_reduce-inl.h"

/*
 * Adds a row of results. The first column uses mean number `offset`. Where registers are few, all means come before
 * the first gain, so that weights and the constants of gains do not take turns in registers.
 */
FV_FN void add_row(const Strip *strip, int row, int offset, int columns, Totals *totals, const uint16_t *logs,
                   fv_f64 limit, fv_f64 second, Shape shape, bool two)
{
    enum { TOGETHER = FV_LANES == 16 ? 1 : (STRIP + LATE) / STEP };
    Window window[TOGETHER];
    Weights weights = weights_of(shape.scale);
    fv_i32 index = 2 * fv_lane_index();
    for (int from = 0; from < columns; from += TOGETHER * STEP) {
        const int end = columns - from < TOGETHER * STEP ? columns : from + TOGETHER * STEP;
        for (int x = from; x < end; x += STEP)
            window[(x - from) / STEP] = average_row(strip, row, offset + x, &weights, shape);
        for (int x = from; x < end; x += STEP) {
            const Both *mean = window[(x - from) / STEP].mean;
            for (int odd = 0; odd < 2; odd++)
                add_samples(totals, mean[REF_REF].v[odd], mean[DIS_DIS].v[odd], mean[REF_DIS].v[odd],
                            mean[REF].v[odd], mean[DIS].v[odd], index + odd < columns - x, logs, limit, second, two);
        }
    }
}

/*
 * mirror_front() fills the mirrored columns before the frame, mirror_back() those after it. offset: index of column
 * 0; end: index after the last column.
 */
static void mirror_front(Strip *strip, int offset, int reach)
{
    for (int row = 0; row < 2; row++)
        for (int part = 0; part < PARTS; part++)
            for (int i = 1; i <= reach; i++)
                strip->mean[row][part][offset - i] = strip->mean[row][part][offset + i];
}

static void mirror_back(Strip *strip, int end, int reach)
{
    for (int row = 0; row < 2; row++)
        for (int part = 0; part < PARTS; part++)
            for (int i = 0; i < reach; i++)
                strip->mean[row][part][end + i] = strip->mean[row][part][end - 2 - i];
}

/* Copies the means of a strip's last columns, for the next strip. */
FV_FN void move_means(int16_t *to, size_t to_pitch, const int16_t *from, size_t from_pitch)
{
    for (int part = 0; part < PARTS; part++)
        for (int x = 0; x < BEFORE; x += STEP)
            FV_STORE(to + (size_t)part * to_pitch + x, FV_LOAD(fv_i16, from + (size_t)part * from_pitch + x));
}

/* The columns that a strip computes: means over columns from `from` on, results from `x` on. */
typedef struct Range {
    int from, made, x, columns;
    bool first, last;
} Range;

FV_FN Range range_at(int from, int width)
{
    Range range = {.from = from, .first = from == 0, .last = from + STRIP >= width};
    range.x = from ? from - LATE : 0;
    range.made = range.last ? width - from : STRIP;
    range.columns = (range.last ? width : from + STRIP - LATE) - range.x;
    return range;
}

/* Adds the results of rows [top, bottom) of a strip. */
FV_FN void sum_strip(const FvVifPlanes *p, Range range, int top, int bottom, const uint16_t *logs,
                     const double *limit, FvVifSums *sums, Strip *strip, Shape shape, bool two)
{
    const size_t pitch = sizeof strip->mean[0][0] / sizeof(int16_t);
    int side = side_of(shape.scale), reach = reach_of(shape.scale), groups = (range.made + STEP - 1) / STEP;
    int next = top / 2 - side; /* the next pair of rows to fill */
    Totals totals = {0};
    for (int y = top; y < bottom; y += 2) {
        int slot[PAIRS], middle = y / 2;
        for (; next <= middle + side; next++)
            fill_pair(p, strip, (next + PAIRS) % PAIRS, 2 * next, range.from, groups, shape);
        for (int i = 0; i <= 2 * side; i++)
            slot[i] = (middle - side + i + PAIRS) % PAIRS;
        average_columns(strip, slot, groups, BEFORE, shape);
        for (int row = 0; row < 2; row++) {
            int16_t(*kept)[BEFORE] = strip->kept[y - top + row];
            if (!range.first)
                move_means(strip->mean[row][0], pitch, kept[0], BEFORE);
            if (!range.last)
                move_means(kept[0], BEFORE, strip->mean[row][0] + STRIP, pitch);
        }
        if (range.first)
            mirror_front(strip, BEFORE, reach);
        if (range.last)
            mirror_back(strip, BEFORE + range.made, reach);
        for (int row = 0; row < 2 && y + row < bottom; row++)
            add_row(strip, row, BEFORE + range.x - range.from, range.columns, &totals, logs, fv_splat_f64(limit[0]),
                    fv_splat_f64(limit[1]), shape, two);
    }
    collect(&totals, sums);
}

/*
 * Finds a number such that all samples of a strip's products are within 181 of it. Returns false if there is none, or
 * if the last vector reaches past the frame.
 */
FV_FN bool find_centre(const FvVifPlanes *p, Range range, int top, int bottom, Strip *strip, Shape shape)
{
    fv_i16 least = fv_splat_i16(INT16_MAX), most = fv_splat_i16(0);
    int from = top - 2 * PAIRS < 0 ? 0 : top - 2 * PAIRS;
    int to = bottom + 2 * PAIRS > p->height ? p->height : bottom + 2 * PAIRS;
    if (range.made % STEP)
        return false;
    for (int y = from; y < to; y++)
        for (int x = range.from; x < range.from + range.made; x += STEP) {
            fv_i16 ref = (fv_i16)samples(p->ref + y * p->ref_stride, x, true);
            fv_i16 dis = (fv_i16)samples(p->dis + y * p->dis_stride, x, true);
            least = fv_min_i16(least, fv_min_i16(ref, dis));
            most = fv_max_i16(most, fv_max_i16(ref, dis));
        }
    int low = INT16_MAX, high = 0;
    for (int i = 0; i < STEP; i++) {
        low = least[i] < low ? least[i] : low;
        high = most[i] > high ? most[i] : high;
    }
    strip->centre = ((low + high) / 2 + (1 << shape.square_bits >> 1)) >> shape.square_bits << shape.square_bits;
    return high - strip->centre <= 181 && strip->centre - low <= 181;
}

/*
 * Sums a strip of 10-bit samples. A separate function, so that its constants do not occupy registers in other strips.
 */
#define SUM_CENTRED(name, two)                                                                                       \
    static __attribute__((noinline)) void name(const FvVifPlanes *p, Range range, int top, int bottom,               \
                                               const uint16_t *logs, const double *limit, FvVifSums *sums,           \
                                               Strip *strip)                                                         \
    {                                                                                                                \
        Shape shape = {0, true, 10, 4, REF_REF_LOW, true};                                                           \
        sum_strip(p, range, top, bottom, logs, limit, sums, strip, shape, two);                                      \
    }
SUM_CENTRED(sum_centred_strip, false)
SUM_CENTRED(sum_centred_strip_two, FV_VIF_LIMITS > 1)

FV_FN void sums_of(const FvVifPlanes *p, int first, int rows, const uint16_t *logs, const double *limit,
                   FvVifSums *sums, Strip *strip, Shape shape, bool may_centre, bool two)
{
    for (int top = first; top < first + rows; top += MOST_ROWS) {
        int bottom = first + rows - top > MOST_ROWS ? top + MOST_ROWS : first + rows;
        for (int from = 0; from < p->width; from += STRIP) {
            Range range = range_at(from, p->width);
            if (may_centre && find_centre(p, range, top, bottom, strip, shape))
                (two ? sum_centred_strip_two : sum_centred_strip)(p, range, top, bottom, logs, limit, sums, strip);
            else
                sum_strip(p, range, top, bottom, logs, limit, sums, strip, shape, two);
        }
    }
}

typedef void SumRows(const FvVifPlanes *p, int first, int rows, const uint16_t *logs, const double *limit,
                     FvVifSums *sums, Strip *strip);

/* Defines functions for one limit and for two. Code for two in the same function would slow the other one. */
#define SUMS(name, may_centre, ...)                                                                                  \
    static __attribute__((noinline)) void name(const FvVifPlanes *p, int first, int rows, const uint16_t *logs,      \
                                               const double *limit, FvVifSums *to, Strip *strip)                     \
    {                                                                                                                \
        Shape shape = {__VA_ARGS__};                                                                                 \
        sums_of(p, first, rows, logs, limit, to, strip, shape, may_centre, false);                                   \
    }                                                                                                                \
    static                                                                                                           \
        __attribute__((noinline)) void name##_two(const FvVifPlanes *p, int first, int rows, const uint16_t *logs,   \
                                                  const double *limit, FvVifSums *to, Strip *strip)                  \
    {                                                                                                                \
        Shape shape = {__VA_ARGS__};                                                                                 \
        sums_of(p, first, rows, logs, limit, to, strip, shape, may_centre, FV_VIF_LIMITS > 1);                       \
    }
SUMS(sums_scale0_8, false, 0, false, 8, 0, REF_REF_LOW, false)
SUMS(sums_scale0_10, true, 0, true, 10, 4, PARTS, false)
SUMS(sums_scale0, false, 0, true, p->depth, 2 * p->depth - 16, PARTS, false)
SUMS(sums_scale1, false, 1, true, 16, 16, PARTS, false)
SUMS(sums_scale2, false, 2, true, 16, 16, PARTS, false)
SUMS(sums_scale3, false, 3, true, 16, 16, PARTS, false)
#define BOTH(name)                                                                                                   \
    {                                                                                                                \
        name, name##_two                                                                                             \
    }

static void sums(const FvVifPlanes *p, int first, int rows, const uint16_t *logs, const double limit[2],
                 FvVifSums *sums, void *scratch)
{
    *sums = (FvVifSums){.flat = 0};
    static SumRows *const kinds[][2] = {BOTH(sums_scale1),   BOTH(sums_scale2),    BOTH(sums_scale3),
                                        BOTH(sums_scale0_8), BOTH(sums_scale0_10), BOTH(sums_scale0)};
    const int kind = p->scale ? p->scale - 1 : p->depth == 8 ? 3 : p->depth == 10 ? 4 : 5;
    kinds[kind][limit[1] > 0](p, first, rows, logs, limit, sums, scratch);
}

#define REDUCE(name, scale, words, bits)                                                                             \
    static __attribute__((noinline)) void name(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t from_stride,    \
                                               int first, int rows, uint16_t *to, ptrdiff_t stride, void *scratch)   \
    {                                                                                                                \
        reduce_plane(p, plane, from_stride, first, rows, to, stride, scratch, scale, words, bits);                   \
    }
REDUCE(reduce_to1_8, 1, false, 8)
REDUCE(reduce_to1, 1, true, p->depth)
REDUCE(reduce_to2, 2, true, 16)
REDUCE(reduce_to3, 3, true, 16)

static void reduce(const FvVifPlanes *p, int first, int rows, uint16_t *ref, uint16_t *dis, ptrdiff_t stride,
                   void *scratch)
{
    void (*plane)(const FvVifPlanes *, const uint8_t *, ptrdiff_t, int, int, uint16_t *, ptrdiff_t, void *) =
        p->scale == 2   ? reduce_to3
        : p->scale == 1 ? reduce_to2
        : p->depth == 8 ? reduce_to1_8
                        : reduce_to1;
    plane(p, p->ref, p->ref_stride, first, rows, ref, stride, scratch);
    plane(p, p->dis, p->dis_stride, first, rows, dis, stride, scratch);
}

static void logarithms(const uint32_t *numbers, int count, const uint16_t *logs, int32_t *to)
{
    for (int i = 0; i < count; i += FV_LANES)
        FV_STORE(to + i, log_of(logs, FV_LOAD(fv_u32, numbers + i)));
}

const FvVifKernels FV_ISA_STRUCT(fv_vif_kernels) = {.sums = sums, .reduce = reduce, .logarithms = logarithms};
