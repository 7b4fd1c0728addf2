#include "resample.h"

#include <string.h>

#include "arith/scalar.h"

#include "arith/scale.h"
#include "mem.h"

#define RING_BYTES (1 << 20) /* of rows between, before a plane is cut into strips */

static bool is_deep(const FvResample *resample)
{
    return resample->depth > FV_SCALE_BITS;
}

static int clamp(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

static int strip_end(const FvResample *resample, int strip)
{
    const int end = (strip + 1) * resample->strip;
    return end < resample->across.count ? end : resample->across.count;
}

FvStatus fv_resample_open(FvResample *resample, const FvScaleAxis *across, const FvScaleAxis *down,
                          const FvPrepareParams *kernel, int depth, FvIsa isa, FvError *error)
{
    *resample = (FvResample){.depth = depth, .kernels = fv_scale_kernels(isa)};
    FvStatus status = fv_scale_table_open(&resample->across, across, kernel->kernel, kernel->b, kernel->c, error);
    if (!status)
        status = fv_scale_table_open(&resample->down, down, kernel->kernel, kernel->b, kernel->c, error);
    if (status)
        return status;
    const size_t sample = is_deep(resample) ? sizeof(int32_t) : sizeof(int16_t);
    resample->ring = resample->down.used < down->samples_in ? resample->down.used : down->samples_in;
    size_t columns = RING_BYTES / ((size_t)resample->ring * sample) / 64 * 64;
    columns = columns < 64 ? 64 : columns;
    resample->strip = columns < (size_t)across->samples_out ? (int)columns : FV_ROUND_UP(across->samples_out, 64);
    for (int s = 0; s < fv_resample_strips(resample); s++) {
        const FvScaleTable *table = &resample->across;
        int width = table->first[strip_end(resample, s) - 1] + table->taps - table->first[s * resample->strip];
        resample->line = (size_t)width > resample->line ? (size_t)width : resample->line;
    }
    resample->line = FV_ROUND_UP(resample->line, 64) + 64;
    resample->between = (size_t)resample->strip + 64;
    resample->scratch = sample * (resample->line + resample->between * (size_t)resample->ring) +
                        2 * resample->between + ((size_t)resample->down.taps * sizeof(void *) + 63) / 64 * 64 +
                        FV_ROUND_UP((size_t)resample->ring * sizeof(int), 64);
    return FV_OK;
}

void fv_resample_close(FvResample *resample)
{
    fv_scale_table_close(&resample->across);
    fv_scale_table_close(&resample->down);
}

/* The parts of a job's scratch memory. */
typedef struct Scratch {
    void *line, *between;
    uint16_t *reduced; /* a row of which the depth is reduced next */
    const void **tap;
    int *held; /* which row each place of the ring holds, or -1 */
} Scratch;

static Scratch divide(const FvResample *resample, void *memory)
{
    const size_t sample = is_deep(resample) ? sizeof(int32_t) : sizeof(int16_t);
    Scratch scratch;
    uint8_t *at = memory;
    scratch.line = at;
    at += sample * resample->line;
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

/* Samples [base, base + count) of a row, those at the edges repeated beyond them. */
static void widen_row(const FvResample *resample, const FvPlaneIn *in, int y, int base, int count, void *line)
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

/* Row `n` of what comes in, resampled across, from the ring. */
static const void *row_between(const FvResample *resample, const FvPlaneIn *in, int strip, int n, Scratch *scratch)
{
    const FvScaleTable *table = &resample->across;
    const int from = strip * resample->strip, end = strip_end(resample, strip), place = n % resample->ring;
    const int base = table->first[from], count = table->first[end - 1] + table->taps - base;
    const size_t sample = is_deep(resample) ? sizeof(int32_t) : sizeof(int16_t);
    void *between = (uint8_t *)scratch->between + sample * resample->between * (size_t)place;
    if (scratch->held[place] == n)
        return between;
    scratch->held[place] = n;
    widen_row(resample, in, n, base, count, scratch->line);
    if (is_deep(resample))
        resample->kernels->columns_deep(between, scratch->line, base, table, from, end);
    else
        resample->kernels->columns(between, scratch->line, base, table, from, end, fv_scale_extra(resample->depth));
    return between;
}

void fv_resample_rows(const FvResample *resample, const FvPlaneIn *in, const FvPlaneOut *out, int strip, int first,
                      int end, void *memory)
{
    Scratch scratch = divide(resample, memory);
    const FvScaleTable *down = &resample->down;
    const int x = strip * resample->strip, count = strip_end(resample, strip) - x;
    const int depth = resample->reduction.shallow ? resample->reduction.shallow : resample->depth;
    for (int i = 0; i < resample->ring; i++)
        scratch.held[i] = -1;
    for (int y = first; y < end; y++) {
        uint8_t *row = out->data + y * out->stride + (ptrdiff_t)x * (depth > 8 ? 2 : 1);
        uint8_t *whole = resample->reduction.shallow ? (uint8_t *)scratch.reduced : row;
        for (int tap = 0; tap < down->used; tap++)
            scratch.tap[tap] = row_between(resample, in, strip, clamp(down->first[y] + tap, in->height), &scratch);
        for (int tap = down->used; tap < down->taps; tap++)
            scratch.tap[tap] = scratch.tap[down->used - 1];
        if (is_deep(resample))
            resample->kernels->rows_deep((uint16_t *)whole, (const int32_t *const *)scratch.tap, down, y, count,
                                         resample->depth);
        else
            resample->kernels->rows(whole, (const int16_t *const *)scratch.tap, down, y, count,
                                    fv_scale_extra(resample->depth), resample->depth);
        if (resample->reduction.shallow)
            fv_prepare_reduce(row, scratch.reduced, count, x, y, &resample->reduction);
    }
}
