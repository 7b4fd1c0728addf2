/*
 * The contrast stage of CAMBI for one instruction set.
 *
 * A strip of columns is walked downwards. For every value there is a row of counters: how many masked pixels of that
 * value the window around each column holds. The runs of equal pixels of a row that can make a difference are listed
 * once, when the row enters the windows; the list serves when it enters, when it is the current row and when it
 * leaves. A run that enters or leaves changes its value's counters by a trapezoid: a few vectors a run instead of a
 * window of counters a pixel. For the pixels of the current row the counters of their own and of the neighbouring
 * values are collected run by run into plain rows, and the terms are computed from those, a vector of pixels at a
 * time. A run none of whose neighbouring values occurs in the strip's window rows needs neither. Most windows hold so
 * few pixels of two values that the reciprocal of their number is a quotient, which costs less than looking it up.
 *
 * Strips in which nearly all runs are single pixels are done by points: cambi_points.h.
 *
 * Runs are short and come by the million, so what is done for each has no branch that depends on the picture, as far
 * as possible: a mispredicted one costs as much as all the rest of a visit.
 */
#include "cpu/cambi_contrast.h"

#include "cpu/cambi_points.h"

/* A row like the one above has its list, if that is listed in the same way. */
static __attribute__((noinline)) void list_row(Strip *s, int y, bool first)
{
    const uint16_t *samples = fv_cambi_row(s->scale, s->frame, y) + s->begin;
    size_t bytes = (size_t)(s->behind - s->begin) * sizeof *samples;
    bool repeated = y > 0 && !first && !memcmp(samples, samples - s->scale->stride, bytes);
    if (!repeated)
        s->listed = s->listed + 1 < s->ring ? s->listed + 1 : 0;
    s->list_number[y % s->ring] = s->listed;
    if (repeated)
        return;
    List *list = list_of(s, y);
    int right = s->left + s->columns;
    if (s->points) {
        list->inner = list_points(s, y, s->begin, s->left, list, 0);
        list->outer = list_points(s, y, s->left, right < s->behind ? right : s->behind, list, list->inner);
        list->count = list_points(s, y, right, s->behind, list, list->outer);
        shape_points(list);
        return;
    }
    list->inner = list_part(s, y, s->begin, s->left, list, 0);
    list->outer = list_part(s, y, s->left, right, list, list->inner);
    list->count = list_part(s, y, right, s->behind, list, list->outer);
    shape_runs(s, list);
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

/* From now on by runs: as if rows [first, end) had entered the windows so. */
static void end_points(Strip *s, int first, int end)
{
    s->points = false;
    for (int y = first; y < end; y++) {
        list_row(s, y, y == first);
        enter_runs(s, y);
    }
}

static void enter(Strip *s, int y)
{
    if (s->points)
        enter_points(s, y);
    else
        enter_runs(s, y);
}

static void leave(Strip *s, int y)
{
    if (s->points)
        leave_points(s, y);
    else
        leave_runs(s, y);
}

/*
 * Moves the windows down to row y. Returns whether that changed anything: it does not when the entering and the
 * leaving row have the same runs.
 */
static bool slide(Strip *s, int y)
{
    int in = y + s->radius, out = y - s->radius - 1;
    bool enters = in < s->scale->height, leaves = out >= 0;
    if (in + AHEAD < s->scale->height)
        prefetch_row(s, in + AHEAD);
    if (enters)
        list_row(s, in, false);
    if (enters && leaves && same_runs(list_of(s, in), list_of(s, out))) {
        if (!s->points)
            renew_row(s, in);
        return false;
    }
    if (enters)
        enter(s, in);
    if (s->points && is_full(s))
        end_points(s, leaves ? out : 0, in < s->scale->height ? in + 1 : s->scale->height);
    if (leaves)
        leave(s, out);
    return enters || leaves;
}

static void collect(Strip *s, int y, bool keep)
{
    if (s->points)
        collect_points(s, y);
    else
        collect_runs(s, y, keep);
}

static void sum(Strip *s, int y, float *kept)
{
    if (s->points)
        sum_points(s, y, kept);
    else
        sum_runs(s, y, kept);
}

/* The c-values of row y. They are those of the row above when neither the runs nor the windows' have changed. */
static void do_row(Strip *s, int y, bool changed, bool keep)
{
    float *kept = keep ? fv_cambi_c(s->scale, s->frame, y) + s->left : NULL;
    if (changed || y == 0 || !same_runs(list_of(s, y), list_of(s, y - 1))) {
        collect(s, y, keep);
        if (s->used || keep)
            sum(s, y, kept);
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
    s->points = prefers_points(s);
    if (s->points)
        start_points(s);
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

size_t FV_ISA_STRUCT(fv_cambi_contrast_scratch)(const FvCambiPicture *picture)
{
    return sizeof(Strip) + (size_t)(picture->window + 1) * sizeof(List);
}
