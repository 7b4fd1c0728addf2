/*
 * The contrast stage of CAMBI for one instruction set.
 *
 * The stage walks down a strip of columns. Every value has a row of counters: for each column, how many masked pixels
 * of that value are in the window around it. When a row enters the windows, the runs of equal pixels that can yield a
 * nonzero c-value are listed once. The list serves three times: when the row enters, when it is the current row, and
 * when it leaves. A run that enters or leaves changes its value's counters by a trapezoid: a few vectors per run
 * instead of a window of counters per pixel.
 *
 * For the pixels of the current row, the counters of their own value and of the neighbouring values are collected run
 * by run into plain rows. The c-values are computed from those, a vector of pixels at a time. A run is skipped if
 * none of its neighbouring values occurs in the rows of the window. Most windows have so few pixels of two values
 * that the reciprocal of their number can be computed, which costs less than a table lookup.
 *
 * Strips in which nearly all runs are single pixels use points instead: cambi_points-inl.h.
 *
 * Runs are short and very many, so the work per run avoids branches that depend on the frame: one misprediction costs
 * as much as all other work on the run.
 */
#include "cpu/cambi_contrast.h"

#include "cpu/cambi_points-inl.h"

/*
 * Lists row y. A row that equals the row above reuses the list of that row, if both are listed as runs or both as
 * points.
 */
static __attribute__((noinline)) void list_row(Strip *s, int y, bool first)
{
    const uint16_t *samples = fv_cambi_row(s->job.scale, s->job.frame, y) + s->job.begin;
    size_t bytes = (size_t)(s->job.behind - s->job.begin) * sizeof *samples;
    bool repeated = y > 0 && !first && !memcmp(samples, samples - s->job.scale->stride, bytes);
    if (!repeated)
        s->listed = s->listed + 1 < s->job.ring ? s->listed + 1 : 0;
    s->list_number[y % s->job.ring] = s->listed;
    if (repeated)
        return;
    List *list = list_of(s, y);
    int right = s->job.left + s->job.columns;
    if (s->by_points) {
        list->inner = list_points(s, y, s->job.begin, s->job.left, list, 0);
        list->outer =
            list_points(s, y, s->job.left, right < s->job.behind ? right : s->job.behind, list, list->inner);
        list->count = list_points(s, y, right, s->job.behind, list, list->outer);
        shape_points(list);
        return;
    }
    list->inner = list_part(s, y, s->job.begin, s->job.left, list, 0);
    list->outer = list_part(s, y, s->job.left, right, list, list->inner);
    list->count = list_part(s, y, right, s->job.behind, list, list->outer);
    shape_runs(s, list);
}

/*
 * Prefetches row y. A run needs one sample of its row, too sparse for the processor to predict. The function is
 * always inlined, because GCC drops a call that only prefetches.
 */
FV_FN void prefetch_row(const Strip *s, int y)
{
    const uint16_t *samples = fv_cambi_row(s->job.scale, s->job.frame, y);
    for (int x = s->job.begin; x < s->job.behind; x += 32)
        __builtin_prefetch(samples + x);
    const FvCambiEdges *edges = fv_cambi_edges(s->job.scale, s->job.frame, y);
    for (int word = s->job.begin >> 6; word < (s->job.behind >> 6) + 4; word += 4)
        __builtin_prefetch(edges + word);
}

/* Switches the strip from points to runs, as if rows [first, end) had entered the windows as runs. */
static void end_points(Strip *s, int first, int end)
{
    s->by_points = false;
    for (int y = first; y < end; y++) {
        list_row(s, y, y == first);
        enter_runs(s, y);
    }
}

static void enter(Strip *s, int y)
{
    if (s->by_points)
        enter_points(s, y);
    else
        enter_runs(s, y);
}

static void leave(Strip *s, int y)
{
    if (s->by_points)
        leave_points(s, y);
    else
        leave_runs(s, y);
}

/*
 * Moves the windows down to row y. Returns false if nothing changed, because the entering and the leaving row have
 * the same runs.
 */
static bool slide(Strip *s, int y)
{
    int in = y + s->job.radius, out = y - s->job.radius - 1;
    bool enters = in < s->job.scale->height, leaves = out >= 0;
    if (in + CAMBI_AHEAD < s->job.scale->height)
        prefetch_row(s, in + CAMBI_AHEAD);
    if (enters)
        list_row(s, in, false);
    if (enters && leaves && same_runs(list_of(s, in), list_of(s, out))) {
        if (!s->by_points)
            renew_row(s, in);
        return false;
    }
    if (enters)
        enter(s, in);
    if (s->by_points && is_full(s))
        end_points(s, leaves ? out : 0, in < s->job.scale->height ? in + 1 : s->job.scale->height);
    if (leaves)
        leave(s, out);
    return enters || leaves;
}

static void collect(Strip *s, int y, bool keep)
{
    if (s->by_points)
        collect_points(s, y);
    else
        collect_runs(s, y, keep);
}

static void sum(Strip *s, int y, float *kept)
{
    if (s->by_points)
        sum_points(s, y, kept);
    else
        sum_runs(s, y, kept);
}

/*
 * Computes the c-values of row y, or repeats those of the row above if neither its runs nor the windows have changed.
 */
static void do_row(Strip *s, int y, bool changed, bool keep)
{
    float *kept = keep ? fv_cambi_c(s->job.scale, s->job.frame, y) + s->job.left : NULL;
    if (changed || y == 0 || !same_runs(list_of(s, y), list_of(s, y - 1))) {
        collect(s, y, keep);
        if (s->used || keep)
            sum(s, y, kept);
    } else if (keep)
        memcpy(kept, kept - s->job.scale->c_stride, FV_ROUND_UP((size_t)s->job.columns, FV_LANES) * sizeof *kept);
    if (!s->used)
        return;
    s->sum += s->row.sum;
    s->zeros += s->row.zeros;
    if (keep)
        count_row(s);
}

/* Adds the sums in the vectors to the integers `fixed` and `nonzero`. */
static void flush(Strip *s)
{
    for (int i = 0; i < FV_LANES / 2; i++)
        s->fixed += (uint64_t)(s->sum[i] * 0x1p24);
    for (int i = 0; i < FV_LANES; i++)
        s->nonzero -= s->zeros[i];
    s->sum = (fv_f64){0};
    s->zeros = (fv_i32){0};
}

static void start_strip(Strip *s, const FvCambiPicture *picture, void *frame, int scale_number, int left, int columns)
{
    const FvCambiScale *scale = &picture->scale[scale_number];
    memset((char *)s + offsetof(Strip, shape), 0, sizeof *s - offsetof(Strip, shape));
    s->job.tables = picture->tables;
    s->job.scale = scale;
    s->job.frame = frame;
    s->job.left = left;
    s->job.columns = columns;
    s->job.radius = picture->radius;
    s->job.begin = left > s->job.radius ? left - s->job.radius : 0;
    s->job.behind = left + columns + s->job.radius < scale->width ? left + columns + s->job.radius : scale->width;
    s->job.vectors = (2 * CAMBI_STEP + CAMBI_SHORT + 2 * s->job.radius - 2) / CAMBI_STEP;
    s->job.room = (size_t)(columns + 4 * s->job.radius + 48);
    s->job.ring = picture->window + 1;
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        s->value.last[v] = CAMBI_ABSENT;
    for (int level = 0; level < FV_CAMBI_LEVELS; level++)
        if (level - s->job.tables->low >= -CAMBI_PAD)
            s->value.visible[CAMBI_PAD + level - s->job.tables->low] = s->job.tables->visible[level];
    for (int i = 0; i < CAMBI_PITCH; i++)
        s->shape.ramp[CAMBI_PITCH + i] = (uint16_t)(i < picture->window ? i + 1 : picture->window);
    for (int bits = 0; bits < 256 && FV_LANES == 8; bits++)
        for (uint64_t i = 0, n = 0; i < 8; n += bits >> i & 1, i++)
            s->shape.packing[bits] |= (bits >> i & 1) * i << 8 * n;
    for (int n = 0; n < 16; n++)
        for (int i = 0; i < 4; i++)
            memset(&s->gate[n][i], n >> i & 1 ? 255 : 0, sizeof s->gate[n][i]);
    for (int pixels = 1; pixels <= CAMBI_SHORT; pixels++)
        for (int i = 0; i < pixels + 2 * s->job.radius; i++)
            s->shape.trapezoid[pixels][CAMBI_STEP + i] =
                s->shape.ramp[CAMBI_PITCH + i] - s->shape.ramp[CAMBI_PITCH + i - pixels];
    s->by_points = prefers_points(s);
    if (s->by_points)
        start_points(s);
}

FvCambiSum FV_ISA_STRUCT(fv_cambi_contrast)(const FvCambiPicture *picture, void *frame, int scale, int left,
                                            int columns, uint32_t *histogram, void *scratch)
{
    Strip *s = scratch;
    start_strip(s, picture, frame, scale, left, columns);
    for (int y = -s->job.radius; y < s->job.scale->height; y++) {
        bool changed = slide(s, y);
        if (y < 0)
            continue;
        do_row(s, y, changed, histogram);
        if (y % CAMBI_FLUSH == CAMBI_FLUSH - 1)
            flush(s);
    }
    flush(s);
    for (int i = 0; histogram && i < FV_CAMBI_BINS; i++)
        histogram[i] += s->tally[0][i + 1] + s->tally[1][i + 1] + s->tally[2][i + 1] + s->tally[3][i + 1];
    return (FvCambiSum){s->fixed, s->nonzero};
}

size_t FV_ISA_STRUCT(fv_cambi_contrast_scratch)(const FvCambiPicture *picture)
{
    return sizeof(Strip) + (size_t)(picture->window + 1) * sizeof(List);
}
