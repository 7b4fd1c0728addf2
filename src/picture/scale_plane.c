#include "picture/scale_plane.h"

#include <string.h>

#include "arith/scalar.h"

#include "arith/scale.h"
#include "cpu/border.h"
#include "os/memory.h"

#define RING_BYTES (1 << 20)   /* maximum bytes of the ring of intermediate rows; wider planes are cut into strips */
#define STREAM_BYTES (1 << 20) /* minimum bytes of a plane that is written past the cache */

static bool is_deep(const FvScalePlane *resample)
{
    return resample->depth > FV_SCALE_BITS;
}

static int strip_end(const FvScalePlane *resample, int strip)
{
    const int end = (strip + 1) * resample->strip;
    return end < resample->across.count ? end : resample->across.count;
}

/* Returns the number of samples of an input row that the columns of a strip read. */
static int line_width(const FvScalePlane *resample, int strip)
{
    const FvScaleTable *table = &resample->across;
    const int first = table->first[strip * resample->strip], last = table->first[strip_end(resample, strip) - 1];
    return last + table->taps - first + FV_SCALE_WIDTH;
}

FvStatus fv_scale_plane_open(FvScalePlane *resample, const FvScaleAxis *across, const FvScaleAxis *down,
                             FvScaleKernel kernel, double b, double c, int depth, FvIsa isa, FvError *error)
{
    *resample = (FvScalePlane){.depth = depth, .kernels = fv_scale_kernels(isa)};
    FvStatus status = fv_scale_table_open(&resample->across, across, kernel, b, c, error);
    if (!status)
        status = fv_scale_table_open(&resample->down, down, kernel, b, c, error);
    if (status)
        return status;
    const size_t sample = is_deep(resample) ? sizeof(int32_t) : sizeof(int16_t);
    const int most = down->samples_in < FV_SCALE_ROWS ? down->samples_in : FV_SCALE_ROWS;
    resample->batch = is_deep(resample) ? 1 : most;
    resample->ring = resample->down.used + resample->batch - 1;
    if (resample->ring > down->samples_in)
        resample->ring = down->samples_in;
    size_t columns = RING_BYTES / ((size_t)resample->ring * sample) / 64 * 64;
    columns = columns < 64 ? 64 : columns;
    resample->strip = columns < (size_t)across->samples_out ? (int)columns : FV_ROUND_UP(across->samples_out, 64);
    for (int s = 0; s < fv_scale_plane_strips(resample); s++) {
        const int width = line_width(resample, s);
        resample->line = (size_t)width > resample->line ? (size_t)width : resample->line;
    }
    resample->line = FV_ROUND_UP(resample->line, 64) + 64;
    resample->between = (size_t)resample->strip + 64;
    resample->scratch =
        sample * (resample->line * (size_t)resample->batch + resample->between * (size_t)resample->ring) +
        2 * resample->between + ((size_t)resample->down.taps * sizeof(void *) + 63) / 64 * 64 +
        FV_ROUND_UP((size_t)resample->ring * sizeof(int), 64);
    return FV_OK;
}

void fv_scale_plane_close(FvScalePlane *resample)
{
    fv_scale_table_close(&resample->across);
    fv_scale_table_close(&resample->down);
}

/* The parts of a job's scratch memory. */
typedef struct Scratch {
    void *line, *between; /* (`line`) input rows of a batch; (`between`) ring of intermediate rows */
    uint16_t *reduced;    /* a row before its depth is reduced */
    const void **tap;
    int *held; /* input row in each place of the ring; -1: none */
} Scratch;

static Scratch divide(const FvScalePlane *resample, void *memory)
{
    const size_t sample = is_deep(resample) ? sizeof(int32_t) : sizeof(int16_t);
    Scratch scratch;
    uint8_t *at = memory;
    scratch.line = at;
    at += sample * resample->line * (size_t)resample->batch;
    scratch.between = at;
    at += sample * resample->between * (size_t)resample->ring;
    scratch.reduced = (uint16_t *)at;
    at += 2 * resample->between;
    scratch.tap = (const void **)at;
    at += ((size_t)resample->down.taps * sizeof(void *) + 63) / 64 * 64;
    scratch.held = (int *)at;
    return scratch;
}

static int sample_at(const FvPlaneIn *in, const uint8_t *row, int x)
{
    const int v = in->bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
    return in->table ? in->table[v] : v << in->shift;
}

/*
 * Converts samples [base, base + count) of a row for resampling. Beyond the row's ends, its first or last sample
 * repeats.
 */
static void widen_row(const FvScalePlane *resample, const FvPlaneIn *in, int y, int base, int count, void *line)
{
    const uint8_t *row = in->data + y * in->stride;
    const int left = base < 0 ? -base : 0, end = base + count < in->width ? count : in->width - base;
    const int first = sample_at(in, row, 0), last = sample_at(in, row, in->width - 1);
    int16_t *narrow = line;
    int32_t *deep = line;
    if (is_deep(resample)) {
        for (int i = 0; i < count; i++)
            deep[i] = i < left ? first : i < end ? sample_at(in, row, base + i) : last;
        return;
    }
    if (in->table)
        for (int i = left; i < end; i++)
            narrow[i] = (int16_t)sample_at(in, row, base + i);
    else if (end > left)
        resample->kernels->widen(narrow + left, row + (ptrdiff_t)(base + left) * in->bytes, in->bytes, in->shift,
                                 end - left);
    for (int i = 0; i < left && i < count; i++)
        narrow[i] = (int16_t)first;
    for (int i = end < 0 ? 0 : end; i < count; i++)
        narrow[i] = (int16_t)last;
}

static void *place_in_ring(const FvScalePlane *resample, int n, const Scratch *scratch)
{
    const size_t sample = is_deep(resample) ? sizeof(int32_t) : sizeof(int16_t);
    return (uint8_t *)scratch->between + sample * resample->between * (size_t)(n % resample->ring);
}

/* The output columns [from, end) of a batch of input rows. */
typedef struct Batch {
    int n, rows; /* input rows n to n + rows - 1 */
    int from, end;
} Batch;

static const uint8_t *row_of(const FvPlaneIn *in, int y, int x)
{
    return in->data + y * in->stride + (ptrdiff_t)x * in->bytes;
}

/* Resamples output columns from copies of the rows, in which the samples at the edges repeat. */
static void resample_lines(const FvScalePlane *resample, const FvPlaneIn *in, const Batch *batch,
                           int16_t *const *between, Scratch *scratch)
{
    const FvScaleTable *table = &resample->across;
    const int16_t *line[FV_SCALE_ROWS];
    if (batch->from == batch->end)
        return;
    const int base = table->first[batch->from];
    const int count = table->first[batch->end - 1] + table->taps - base + FV_SCALE_WIDTH;
    for (int i = 0; i < batch->rows; i++) {
        int16_t *own = (int16_t *)scratch->line + (size_t)i * resample->line;
        widen_row(resample, in, batch->n + i, base, count, own);
        line[i] = own;
    }
    resample->kernels->columns(between, line, batch->rows, base, table, batch->from, batch->end,
                               fv_scale_extra(resample->depth));
}

/*
 * Returns the output columns that need only samples within the row. The kernels read these rows in place; beyond a
 * row's end they read only its padding.
 */
static Batch find_inside(const FvScalePlane *resample, const FvPlaneIn *in, const Batch *batch)
{
    const FvScaleTable *table = &resample->across;
    Batch inside = *batch;
    if (in->bytes == 1 || in->shift || in->table)
        inside.end = inside.from;
    while (inside.from < inside.end && table->first[inside.from] < 0)
        inside.from += FV_SCALE_BLOCK;
    inside.end = inside.end / FV_SCALE_BLOCK * FV_SCALE_BLOCK;
    while (inside.from < inside.end && table->first[inside.end - 1] + table->taps > in->width)
        inside.end -= FV_SCALE_BLOCK;
    if (inside.from >= inside.end)
        inside.from = inside.end = batch->end;
    return inside;
}

static void resample_inside(const FvScalePlane *resample, const FvPlaneIn *in, const Batch *batch,
                            int16_t *const *between)
{
    const FvScaleTable *table = &resample->across;
    const int16_t *line[FV_SCALE_ROWS];
    if (batch->from == batch->end)
        return;
    const int base = table->first[batch->from];
    for (int i = 0; i < batch->rows; i++)
        line[i] = (const int16_t *)row_of(in, batch->n + i, base);
    resample->kernels->columns(between, line, batch->rows, base, table, batch->from, batch->end,
                               fv_scale_extra(resample->depth));
}

/* Copies rows whose width does not change, with more bits per sample. */
static void keep_rows(const FvScalePlane *resample, const FvPlaneIn *in, const Batch *batch, int16_t *const *between)
{
    const int count = batch->end - batch->from;
    for (int i = 0; i < batch->rows; i++) {
        resample->kernels->widen(between[i], row_of(in, batch->n + i, batch->from), in->bytes,
                                 in->shift + fv_scale_extra(resample->depth), count);
        memset(between[i] + count, 0, FV_SCALE_WIDTH * sizeof *between[i]);
    }
}

/* Resamples `rows` input rows, from row `n` on, horizontally into the ring. */
static void resample_across(const FvScalePlane *resample, const FvPlaneIn *in, int strip, int n, int rows,
                            Scratch *scratch)
{
    const FvScaleTable *table = &resample->across;
    const int from = strip * resample->strip;
    const Batch all = {n, rows, from, strip_end(resample, strip)};
    int16_t *between[FV_SCALE_ROWS], *middle[FV_SCALE_ROWS], *right[FV_SCALE_ROWS];
    for (int i = 0; i < rows; i++) {
        scratch->held[(n + i) % resample->ring] = n + i;
        between[i] = place_in_ring(resample, n + i, scratch);
    }
    if (is_deep(resample)) {
        const int base = table->first[from];
        widen_row(resample, in, n, base, line_width(resample, strip), scratch->line);
        resample->kernels->columns_deep((int32_t *)between[0], scratch->line, base, table, from, all.end);
        return;
    }
    if (table->identity && !in->table) {
        keep_rows(resample, in, &all, between);
        return;
    }
    const Batch inside = find_inside(resample, in, &all);
    for (int i = 0; i < rows; i++) {
        middle[i] = between[i] + (inside.from - from);
        right[i] = between[i] + (inside.end - from);
    }
    resample_lines(resample, in, &(Batch){n, rows, from, inside.from}, between, scratch);
    resample_inside(resample, in, &inside, middle);
    resample_lines(resample, in, &(Batch){n, rows, inside.end, all.end}, right, scratch);
}

/*
 * Returns the intermediate row of input row `n` from the ring; makes it first, in a batch with the next rows, if
 * necessary. last: the last input row that will be needed.
 */
static const void *row_between(const FvScalePlane *resample, const FvPlaneIn *in, int strip, int n, int last,
                               Scratch *scratch)
{
    const int rows = last - n + 1 < resample->batch ? last - n + 1 : resample->batch;
    if (scratch->held[n % resample->ring] != n)
        resample_across(resample, in, strip, n, rows, scratch);
    return place_in_ring(resample, n, scratch);
}

void fv_scale_plane_rows(const FvScalePlane *resample, const FvPlaneIn *in, const FvPlaneOut *out, int strip,
                         int first, int end, void *memory)
{
    Scratch scratch = divide(resample, memory);
    const FvScaleTable *down = &resample->down;
    const int x = strip * resample->strip, count = strip_end(resample, strip) - x;
    const int depth = resample->reduction.shallow ? resample->reduction.shallow : resample->depth;
    const bool stream = !resample->reduction.shallow && out->stride * (ptrdiff_t)out->height >= STREAM_BYTES;
    const int last = fv_clamp(down->first[end - 1] + down->used - 1, in->height);
    for (int i = 0; i < resample->ring; i++)
        scratch.held[i] = -1;
    for (int y = first; y < end; y++) {
        uint8_t *row = out->data + y * out->stride + (ptrdiff_t)x * (depth > 8 ? 2 : 1);
        uint8_t *whole = resample->reduction.shallow ? (uint8_t *)scratch.reduced : row;
        for (int tap = 0; tap < down->used; tap++)
            scratch.tap[tap] =
                row_between(resample, in, strip, fv_clamp(down->first[y] + tap, in->height), last, &scratch);
        for (int tap = down->used; tap < down->taps; tap++)
            scratch.tap[tap] = scratch.tap[down->used - 1];
        if (is_deep(resample))
            resample->kernels->rows_deep((uint16_t *)whole, (const int32_t *const *)scratch.tap, down, y, count,
                                         resample->depth);
        else
            resample->kernels->rows(whole, (const int16_t *const *)scratch.tap, down, y, count,
                                    fv_scale_extra(resample->depth), resample->depth, stream);
        if (resample->reduction.shallow)
            fv_prepare_reduce(row, scratch.reduced, count, x, y, &resample->reduction);
    }
    if (stream)
        resample->kernels->settle();
}
