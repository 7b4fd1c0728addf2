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

enum { STRIP = 32, WIDE_STRIP = 192, ROWS = 128 };

typedef struct Count {
    double pixels, masked, runs;
    double values;    /* that matter in a strip and its surroundings, times its pixels */
    double entries;   /* of lists of runs, times the columns of a strip */
    double partnered; /* pixels of values with a partner around */
    double changes;   /* of counters by the runs of quads of columns that enter or leave a wide strip's windows */
    double terms;     /* runs of quads in a wide strip, times their contrasts */
} Count;

/* What a strip of columns and some rows has in and around it. */
typedef struct Part {
    int left, right, top, bottom;
    int x0, x1, y0, y1;                                         /* in reach of its windows */
    uint8_t around[FV_CAMBI_LEVELS + 64], own[FV_CAMBI_LEVELS]; /* [32 + v]; [v] */
    uint8_t contrasts[FV_CAMBI_LEVELS + 64];                    /* [32 + v]: how many v has partners for */
    uint8_t counts[FV_CAMBI_LEVELS];                            /* has partners or is one */
} Part;

static int value_of(const FvCambiTables *t, uint16_t sample)
{
    int v = sample - FV_CAMBI_MASKED;
    return v >= t->low && v <= t->high ? v : -1;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static void find_values(Part *part, const FvCambiPicture *p, const FvCambiScale *scale, void *frame, int left,
                        int top, int width)
{
    const FvCambiTables *t = p->tables;
    int r = p->radius;
    *part = (Part){.left = left,
                   .top = top,
                   .right = min_int(left + width, scale->width),
                   .bottom = min_int(top + ROWS, scale->height)};
    part->x0 = (left > r ? left - r : 0) / STRIP * STRIP;
    part->x1 = min_int(part->right + r, scale->width);
    part->y0 = top > r ? top - r : 0;
    part->y1 = min_int(part->bottom + r, scale->height);
    for (int y = part->y0; y < part->y1; y++)
        for (int x = part->x0; x < part->x1; x++) {
            int v = value_of(t, fv_cambi_row(scale, frame, y)[x]);
            if (v < 0)
                continue;
            part->around[v + 32] = 1;
            part->own[v] |= x >= left && x < part->right && y >= top && y < part->bottom;
        }
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        for (int d = 1; d <= t->contrasts; d++)
            part->contrasts[v + 32] += part->own[v] && (t->visible[v] >> (d - 1) & 1) &&
                                       (part->around[v + 32 + d] || part->around[v + 32 - d]);
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        for (int d = -t->contrasts; d <= t->contrasts; d++)
            part->counts[v] |= part->around[v + 32] && part->contrasts[v + 32 + d];
}

static void count_strip(Count *count, const FvCambiPicture *p, const FvCambiScale *scale, void *frame, int left,
                        int top)
{
    static Part part;
    find_values(&part, p, scale, frame, left, top, STRIP);
    int columns = part.right - left, values = 0;
    for (int v = 0; v < FV_CAMBI_LEVELS; v++)
        values += part.counts[v];
    count->values += (double)values * columns * (part.bottom - top);
    for (int y = part.y0; y < part.y1; y++) {
        const uint16_t *row = fv_cambi_row(scale, frame, y);
        for (int x = part.x0; x < part.x1; x++) {
            int v = value_of(p->tables, row[x]);
            bool first = x == part.x0 || x % STRIP == 0 || value_of(p->tables, row[x - 1]) != v;
            if (v >= 0 && first && part.counts[v])
                count->entries += (1 + (y + p->radius < part.bottom - 1)) * columns; /* it leaves, too */
            if (v >= 0 && x >= left && x < part.right && y >= top && y < part.bottom)
                count->partnered += part.contrasts[v + 32] > 0;
        }
    }
}

static void count_wide_strip(Count *count, const FvCambiPicture *p, const FvCambiScale *scale, void *frame, int left,
                             int top)
{
    static Part part;
    find_values(&part, p, scale, frame, left, top, WIDE_STRIP);
    for (int y = part.y0; y < part.y1; y++) {
        const uint16_t *row = fv_cambi_row(scale, frame, y);
        for (int x = part.x0; x < part.x1; x++) {
            int v = value_of(p->tables, row[x]);
            if (v < 0 || (x % 4 && value_of(p->tables, row[x - 1]) == v))
                continue;
            if (part.counts[v])
                count->changes += 1 + (y + p->radius < part.bottom - 1);
            if (x >= left && x < part.right && y >= top && y < part.bottom)
                count->terms += part.contrasts[v + 32];
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
    for (int top = 0; top < scale->height; top += ROWS)
        for (int left = 0; left < scale->width; left += WIDE_STRIP)
            count_wide_strip(&count, p, scale, frame, left, top);
    return count;
}

int main(int argc, char **argv)
{
    FvError error = {0};
    FvSource *source = NULL;
    FvFrame *picture = NULL;
    FvSourceParams params = {.path = argc > 1 ? argv[1] : ""};
    if (argc == 6)
        params = (FvSourceParams){.path = argv[1],
                                  .reader = "raw",
                                  .raw = {.width = atoi(argv[2]),
                                          .height = atoi(argv[3]),
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
           "per pixel: I %.1f counters, II %.0f bins, III %.0f compares, IV %.1f fields, V %.2f runs, "
           "VI %.2f changes and %.2f terms\n",
           p.width, p.height, p.window, all.masked / n, all.runs / n, all.partnered / n, all.values / n,
           2 * all.masked * window / n, 2. * (tables.high - tables.low + 1), all.masked * window * window / n,
           2 * all.values / n, all.entries / n, all.changes / n, all.terms / n);
    free(frame);
    free(scratch);
    fv_frame_unref(&picture);
    fv_source_close(&source);
    return 0;
}
