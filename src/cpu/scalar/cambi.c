/* CAMBI, the reference. */
#include <string.h>

#include "arith/scalar.h"

#include "arith/cambi.h"
#include "cpu/border.h"
#include "cpu/cambi.h"
#include "os/memory.h"

/* Returns sample (x, y) at processing size with 10 bits. */
static fv_i16 sample(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, int x, int y)
{
    const uint8_t *row = source + (p->row ? p->row[y] : y) * stride;
    int column = p->column ? p->column[x] : x;
    if (p->depth == 8)
        return (fv_i16)(row[column] << 2);
    uint16_t v = ((const uint16_t *)row)[column];
    return (fv_i16)(p->depth > 10 ? fv_cambi_narrow(v, p->depth - 10) : v << (10 - p->depth));
}

static void row(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, int y, uint16_t *to, void *scratch)
{
    int below = fv_clamp(y + 1, p->height);
    for (int x = 0; x < p->width; x++) {
        int right = fv_clamp(x + 1, p->width);
        fv_i16 here = sample(p, source, stride, x, y);
        to[x] = (uint16_t)(!p->undither ? here
                                        : fv_cambi_undither(here, sample(p, source, stride, right, y),
                                                            sample(p, source, stride, x, below),
                                                            sample(p, source, stride, right, below)));
    }
}

/*
 * Applies the mode filter to the middle one of three rows, whose samples have flags. At the first row of the frame
 * `above` is NULL, at the last row `below`.
 */
static void filter(const uint16_t *above, const uint16_t *here, const uint16_t *below, int width, uint16_t *to)
{
    const uint16_t *rows[3] = {above, here, below};
    for (int x = 0; x < width; x++) {
        fv_i16 mode[3];
        for (int i = 0; i < 3 && above && below; i++)
            mode[i] = fv_cambi_mode3(rows[i][fv_clamp(x - 1, width)] & ~FV_CAMBI_MASKED & 0xffff,
                                     rows[i][x] & ~FV_CAMBI_MASKED & 0xffff,
                                     rows[i][fv_clamp(x + 1, width)] & ~FV_CAMBI_MASKED & 0xffff);
        to[x] = above && below ? (uint16_t)(fv_cambi_mode3(mode[0], mode[1], mode[2]) | (here[x] & FV_CAMBI_MASKED))
                               : here[x];
    }
}

/* Returns the sample's value if it is masked and visible, else -1. */
static int value(const FvCambiTables *tables, uint16_t sample)
{
    int v = sample & ~FV_CAMBI_MASKED;
    return sample & FV_CAMBI_MASKED && v >= tables->low && v <= tables->high ? v : -1;
}

/* Filters `rows` rows into the scale and finds their edges. `unfiltered` starts `before` rows earlier. */
static int64_t finish_rows(const FvCambiPicture *p, const FvCambiScale *scale, void *frame, int first, int rows,
                           const uint16_t *unfiltered, int before)
{
    int64_t masked = 0;
    for (int y = first; y < first + rows; y++) {
        const uint16_t *here = unfiltered + (y - first + before) * scale->stride;
        uint16_t *to = fv_cambi_row(scale, frame, y);
        filter(y > 0 ? here - scale->stride : NULL, here, y + 1 < scale->height ? here + scale->stride : NULL,
               scale->width, to);
        to[-1] = 0;
        memset(to + scale->width, 0, (FV_ROUND_UP((size_t)scale->width, 64) - (size_t)scale->width) * sizeof *to);
        FvCambiEdges *edges = fv_cambi_edges(scale, frame, y);
        memset(edges, 0, (size_t)scale->edge_words * sizeof *edges);
        for (int x = 0; x < scale->width; x++) {
            int here = value(p->tables, to[x]), before = value(p->tables, to[x - 1]);
            masked += here >= 0;
            edges[x / 64].begins |= (uint64_t)(here >= 0 && here != before) << x % 64;
            edges[x / 64].ends |= (uint64_t)(before >= 0 && here != before) << x % 64;
        }
    }
    return masked;
}

static int64_t prepare(const FvCambiPicture *p, const uint8_t *source, ptrdiff_t stride, void *frame, int first,
                       int rows, void *scratch)
{
    const FvCambiScale *scale = &p->scale[0];
    int step = p->half ? 2 : 1;
    /* The mode filter needs one more row. */
    int last = first + rows < scale->height ? first + rows : first + rows - 1;
    int begin = first > 0 ? first - 1 : 0;
    int top = begin * step - 3, bottom = last * step + 4; /* full rows that the mask needs, and the next row */
    ptrdiff_t pitch = p->width;
    uint16_t *image = scratch;                             /* full rows [top, bottom] */
    uint16_t *masked = image + pitch * (bottom - top + 1); /* rows [begin, last] of the scale */
    for (int y = top; y <= bottom; y++)
        if (y >= 0 && y < p->height)
            row(p, source, stride, y, image + (y - top) * pitch, NULL);
#define IMAGE(x, y) image[((y)-top) * pitch + (x)]
    for (int y = begin; y <= last; y++)
        for (int x = 0; x < scale->width; x++) {
            int flat = 0;
            for (int v = y * step - 3; v <= y * step + 3; v++)
                for (int u = x * step - 3; u <= x * step + 3; u++)
                    flat += u >= 0 && u < p->width && v >= 0 && v < p->height &&
                            (u == p->width - 1 || IMAGE(u, v) == IMAGE(u + 1, v)) &&
                            (v == p->height - 1 || IMAGE(u, v) == IMAGE(u, v + 1));
            masked[(y - begin) * scale->stride + x] =
                (uint16_t)(IMAGE(x * step, y * step) | (flat > p->mask_threshold ? FV_CAMBI_MASKED : 0));
        }
#undef IMAGE
    return finish_rows(p, scale, frame, first, rows, masked, first - begin);
}

static int64_t halve(const FvCambiPicture *p, void *frame, int s, int first, int rows, void *scratch)
{
    const FvCambiScale *scale = &p->scale[s];
    uint16_t *unfiltered = scratch;
    int begin = first > 0 ? first - 1 : 0, end = first + rows < scale->height ? first + rows + 1 : first + rows;
    for (int y = begin; y < end; y++) {
        const uint16_t *from = fv_cambi_row(&p->scale[s - 1], frame, 2 * y);
        for (int x = 0; x < scale->width; x++)
            unfiltered[(y - begin) * scale->stride + x] = from[2 * x];
    }
    return finish_rows(p, scale, frame, first, rows, unfiltered, first - begin);
}

/* For each column of the strip, the number of masked pixels of each value in the window around it. */
typedef struct Counts {
    const FvCambiPicture *picture;
    const FvCambiScale *scale;
    int left, columns;
    uint16_t *count; /* [value + FV_CAMBI_CONTRASTS][column - left] */
} Counts;

static uint16_t *count_of(const Counts *counts, int value, int x)
{
    return counts->count + (ptrdiff_t)(value + FV_CAMBI_CONTRASTS) * counts->columns + (x - counts->left);
}

/* Adds a row to every window (change 1), or removes it (change -1). */
static void slide(const Counts *counts, const uint16_t *samples, int change)
{
    int radius = counts->picture->radius, end = counts->left + counts->columns;
    for (int x = 0; x < counts->scale->width; x++) {
        int v = value(counts->picture->tables, samples[x]);
        if (v < 0)
            continue;
        for (int i = x - radius > counts->left ? x - radius : counts->left; i <= x + radius && i < end; i++)
            *count_of(counts, v, i) += (uint16_t)change;
    }
}

static float contrast_at(const Counts *counts, const uint16_t *samples, int x)
{
    const FvCambiTables *tables = counts->picture->tables;
    int v = value(tables, samples[x]);
    if (v < 0)
        return 0;
    int own = *count_of(counts, v, x);
    float c = 0;
    for (int d = 1; d <= tables->contrasts; d++) {
        if (!(tables->visible[v] >> (d - 1) & 1))
            continue;
        int lower = *count_of(counts, v - d, x), upper = *count_of(counts, v + d, x);
        int other = lower > upper ? lower : upper;
        c = fv_max_f32(
            c, fv_cambi_term(fv_cambi_weight[d - 1], (float)own, (float)other, tables->reciprocal[own + other]));
    }
    return c;
}

static FvCambiSum contrast(const FvCambiPicture *p, void *frame, int s, int left, int columns, uint32_t *histogram,
                           void *scratch)
{
    const FvCambiScale *scale = &p->scale[s];
    Counts counts = {p, scale, left, columns, scratch};
    memset(counts.count, 0,
           (size_t)(FV_CAMBI_LEVELS + 2 * FV_CAMBI_CONTRASTS) * (size_t)columns * sizeof *counts.count);
    FvCambiSum sum = {0};
    for (int y = -p->radius; y < scale->height; y++) {
        if (y + p->radius < scale->height)
            slide(&counts, fv_cambi_row(scale, frame, y + p->radius), 1);
        if (y < 0)
            continue;
        if (y - p->radius - 1 >= 0)
            slide(&counts, fv_cambi_row(scale, frame, y - p->radius - 1), -1);
        const uint16_t *samples = fv_cambi_row(scale, frame, y);
        for (int x = left; x < left + columns; x++) {
            float c = contrast_at(&counts, samples, x);
            sum.sum += (uint64_t)((double)c * 0x1p24);
            sum.nonzero += c > 0;
            if (!histogram)
                continue;
            fv_cambi_c(scale, frame, y)[x] = c;
            if (c > 0)
                histogram[(fv_bits(c) >> FV_CAMBI_BIN_SHIFT) - FV_CAMBI_FIRST_BIN]++;
        }
    }
    return sum;
}

static uint64_t select(const FvCambiScale *scale, void *frame, int bin, uint32_t count[FV_CAMBI_IN_BIN])
{
    uint64_t sum = 0;
    for (int y = 0; y < scale->height; y++)
        for (int x = 0; x < scale->width; x++) {
            float c = fv_cambi_c(scale, frame, y)[x];
            int of = (int)(fv_bits(c) >> FV_CAMBI_BIN_SHIFT) - FV_CAMBI_FIRST_BIN;
            if (of > bin)
                sum += (uint64_t)((double)c * 0x1p24);
            else if (of == bin)
                count[fv_bits(c) % FV_CAMBI_IN_BIN]++;
        }
    return sum;
}

static size_t scratch(const FvCambiPicture *p)
{
    size_t rows = 2 * FV_CAMBI_BAND + 12;
    size_t image = rows * ((size_t)p->width + (size_t)p->scale[0].stride) * sizeof(uint16_t);
    size_t counts = (FV_CAMBI_LEVELS + 2 * FV_CAMBI_CONTRASTS) * FV_CAMBI_STRIP * sizeof(uint16_t);
    return FV_ROUND_UP(image > counts ? image : counts, FV_ALIGN);
}

const FvCambiKernels fv_cambi_kernels_scalar = {
    .row = row, .prepare = prepare, .halve = halve, .contrast = contrast, .select = select, .scratch = scratch};
