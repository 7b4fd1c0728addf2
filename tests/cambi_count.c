/*
 * Counts what the ways of computing CAMBI's c-values have to do for one frame, for docs/cambi-gpu.md.
 *
 *     cambi-count CLIP [WIDTH HEIGHT CHROMA DEPTH]
 */
#include <stdlib.h>
#include <string.h>

#include "cpu/cambi.h"
#include "mem.h"
#include "metric.h"

enum { STRIP = 32, ROWS = 128 };

typedef struct Count {
    double pixels, masked, runs;
    double values;  /* that matter in a strip and its surroundings, times its pixels */
    double entries; /* of lists of runs, times the columns of a strip */
    double partnered; /* pixels of values with a partner around */
} Count;

static int value_of(const FvCambiTables *t, uint16_t sample)
{
    int v = sample - FV_CAMBI_MASKED;
    return v >= t->low && v <= t->high ? v : -1;
}

static void count_strip(Count *count, const FvCambiPicture *p, const FvCambiScale *scale, void *frame, int left, int top)
{
    const FvCambiTables *t = p->tables;
    int bottom = top + ROWS < scale->height ? top + ROWS : scale->height, r = p->radius;
    int right = left + STRIP < scale->width ? left + STRIP : scale->width;
    int x0 = (left > r ? left - r : 0) / STRIP * STRIP, x1 = right + r < scale->width ? right + r : scale->width;
    int y0 = top > r ? top - r : 0, y1 = bottom + r < scale->height ? bottom + r : scale->height;
    static uint8_t around[FV_CAMBI_LEVELS + 64], own[FV_CAMBI_LEVELS], wanted[FV_CAMBI_LEVELS + 64], counts[FV_CAMBI_LEVELS];
    memset(around, 0, sizeof around);
    memset(own, 0, sizeof own);
    memset(wanted, 0, sizeof wanted);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            int v = value_of(t, fv_cambi_row(scale, frame, y)[x]);
            if (v < 0)
                continue;
            around[v + 32] = 1;
            own[v] |= x >= left && x < right && y >= top && y < bottom;
        }
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        for (int d = 1; d <= t->contrasts; d++)
            wanted[v + 32] |= own[v] && (t->visible[v] >> (d - 1) & 1) && (around[v + 32 + d] || around[v + 32 - d]);
    int values = 0;
    for (int v = 0; v < FV_CAMBI_LEVELS; v++) {
        counts[v] = 0;
        for (int d = -t->contrasts; d <= t->contrasts; d++)
            counts[v] |= around[v + 32] && wanted[v + 32 + d];
        values += counts[v];
    }
    count->values += (double)values * (right - left) * (bottom - top);
    for (int y = y0; y < y1; y++) {
        const uint16_t *row = fv_cambi_row(scale, frame, y);
        for (int x = x0; x < x1; x++) {
            int v = value_of(t, row[x]);
            bool first = x == x0 || x % STRIP == 0 || value_of(t, row[x - 1]) != v;
            if (v >= 0 && first && counts[v])
                count->entries += (1 + (y + r < bottom - 1)) * (right - left); /* it leaves, too */
            if (v >= 0 && x >= left && x < right && y >= top && y < bottom)
                count->partnered += wanted[v + 32];
        }
    }
}

static Count count_scale(const FvCambiPicture *p, const FvCambiScale *scale, void *frame)
{
    Count count = {.pixels = (double)scale->width * scale->height};
    for (int y = 0; y < scale->height; y++)
        for (int x = 0; x < scale->width; x++) {
            const uint16_t *row = fv_cambi_row(scale, frame, y);
            int v = value_of(p->tables, row[x]);
            count.masked += v >= 0;
            count.runs += v >= 0 && (!x || value_of(p->tables, row[x - 1]) != v);
        }
    for (int top = 0; top < scale->height; top += ROWS)
        for (int left = 0; left < scale->width; left += STRIP)
            count_strip(&count, p, scale, frame, left, top);
    return count;
}

int main(int argc, char **argv)
{
    FvError error = {0};
    FvSource *source = NULL;
    FvFrame *picture = NULL;
    FvSourceParams params = {.path = argc > 1 ? argv[1] : ""};
    if (argc == 6)
        params = (FvSourceParams){.path = argv[1], .reader = "raw",
                                  .raw = {.width = atoi(argv[2]), .height = atoi(argv[3]),
                                          .chroma = atoi(argv[4]) == 420 ? FV_CHROMA_420 : FV_CHROMA_422,
                                          .depth = atoi(argv[5])}};
    if (fv_source_open(&source, &params, &error) || fv_source_read(source, &picture, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    FvCambiOptions options;
    FvCambiPicture p = {0};
    FvCambiTables tables;
    fv_options_default(&options, &fv_metric_find("cambi")->options);
    if (fv_cambi_geometry(&p, &options, &picture->format, false, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    fv_cambi_tables(&tables, &options);
    p.tables = &tables;
    const FvCambiKernels *kernels = fv_cambi_kernels(fv_isa_best());
    void *frame = fv_alloc_zero(p.bytes), *scratch = fv_alloc(kernels->scratch(&p));
    Count all = {0};
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        const FvCambiScale *scale = &p.scale[s];
        if (s)
            kernels->halve(&p, frame, s, 0, scale->height, scratch);
        else
            kernels->prepare(&p, picture->data[0], picture->stride[0], frame, 0, scale->height, scratch);
        Count count = count_scale(&p, scale, frame);
        double *sum = (double *)&all, *add = (double *)&count;
        for (size_t i = 0; i < sizeof all / sizeof(double); i++)
            sum[i] += add[i];
    }
    double n = all.pixels, window = p.window;
    printf("%dx%d window %d: masked %.3f, runs %.4f, with a partner %.3f of all pixels; values that matter %.1f\n"
           "per pixel: I %.1f counters, II %.0f bins, III %.0f compares, IV %.1f fields, V %.2f runs\n",
           p.width, p.height, p.window, all.masked / n, all.runs / n, all.partnered / n, all.values / n,
           2 * all.masked * window / n, 2. * (tables.high - tables.low + 1), all.masked * window * window / n,
           2 * all.values / n, all.entries / n);
    free(frame);
    free(scratch);
    fv_frame_unref(&picture);
    fv_source_close(&source);
    return 0;
}
