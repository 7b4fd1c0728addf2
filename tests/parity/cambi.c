/*
 * Parity cases of CAMBI: the five scales of the picture with their masks, and the c-values, from random samples and
 * from runs of any length.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu/cambi.h"
#include "feature/cambi_picture.h"
#include "metric/metric.h"
#include "os/memory.h"

#include "parity.h"

/* "resampled" changes the size and has 8 bits; "half" has the half-size speed-up; "contrasts" has more contrasts, all
 * visible. */
static const char *const variants[] = {"plain", "resampled", "half", "contrasts", NULL};
enum { RESAMPLED = 1, HALF, CONTRASTS };
static const char *const row_variants[] = {"plain", "resampled", NULL};

typedef struct Setup {
    FvCambiOptions options;
    FvCambiPicture picture;
    FvCambiTables tables;
    float reciprocal[FV_CAMBI_WINDOW * FV_CAMBI_WINDOW + 1];
} Setup;

static void set_up(Setup *setup, const Parity *p)
{
    FvError error;
    FvFormat format = {.width = p->width, .height = p->height, .chroma = FV_CHROMA_400, .depth = p->depth};
    fv_options_default(&setup->options, &fv_metric_find("cambi")->options);
    setup->options.window_size = 127;
    if (p->variant == RESAMPLED) {
        setup->options.enc_width = p->width < 216 ? (p->width + 1) / 2 : 216;
        setup->options.enc_height = p->height < 216 ? (4 * p->height + 4) / 5 : p->height;
        setup->options.enc_bitdepth = 8;
    }
    if (p->variant == CONTRASTS) {
        setup->options.max_log_contrast = 5;
        setup->options.tvi_threshold = 0.0005;
    }
    if (fv_cambi_geometry(&setup->picture, &setup->options, &format, false, &error) ||
        fv_cambi_resample(&setup->picture, &error))
        abort();
    fv_cambi_tables(&setup->tables, &setup->options);
    fv_cambi_reciprocals(setup->reciprocal, setup->picture.window * setup->picture.window + 1);
    setup->tables.reciprocal = setup->reciprocal;
    setup->picture.tables = &setup->tables;
    setup->picture.mask_threshold = 20; /* masks random samples here and there */
}

/* Halves the sizes as CAMBI's speed-up does, which itself needs a large picture. */
static void halve_sizes(FvCambiPicture *picture)
{
    picture->half = true;
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        picture->scale[s].width = (picture->scale[s].width + 1) / 2;
        picture->scale[s].height = (picture->scale[s].height + 1) / 2;
        picture->scale[s].edge_words = (picture->scale[s].width + 63) / 64;
    }
}

static void hand_in(Parity *p, const FvCambiPicture *picture, void *frame, bool c)
{
    static const char *const names[FV_CAMBI_SCALES] = {"scale 0", "scale 1", "scale 2", "scale 3", "scale 4"};
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        const FvCambiScale *scale = &picture->scale[s];
        size_t row = (size_t)scale->width * (c ? sizeof(float) : sizeof(uint16_t));
        uint8_t *plane = malloc(row * (size_t)scale->height);
        for (int y = 0; y < scale->height; y++)
            memcpy(plane + (size_t)y * row,
                   c ? (const void *)fv_cambi_c(scale, frame, y) : (const void *)fv_cambi_row(scale, frame, y), row);
        parity_value(p, names[s], plane, row * (size_t)scale->height);
        free(plane);
    }
}

static void run(Parity *p, bool c)
{
    static Setup setup;
    memset(&setup, 0, sizeof setup);
    set_up(&setup, p);
    FvCambiPicture *picture = &setup.picture;
    if (p->variant == HALF)
        halve_sizes(picture);
    const FvCambiKernels *kernels = fv_cambi_kernels(p->runner->isa);
    ptrdiff_t stride;
    const uint8_t *source = parity_samples(p, "source", p->width, p->height, &stride);
    void *frame = parity_scratch(p, "frame", picture->bytes);
    void *scratch = parity_scratch(p, "scratch", kernels->scratch(picture));
    uint32_t histogram[FV_CAMBI_BINS] = {0};
    FvCambiSum sums[FV_CAMBI_SCALES];
    int64_t masked[FV_CAMBI_SCALES];
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * (p->depth > 8 ? 2 : 1));
    PARITY_CALL(
        p, for (int s = 0; s < FV_CAMBI_SCALES; s++) {
            const FvCambiScale *scale = &picture->scale[s];
            masked[s] = s ? kernels->halve(picture, frame, s, 0, scale->height, scratch)
                          : kernels->prepare(picture, source, stride, frame, 0, scale->height, scratch);
            if (c)
                sums[s] =
                    kernels->contrast(picture, frame, s, 0,
                                      scale->width < fv_cambi_strip(picture) ? scale->width : fv_cambi_strip(picture),
                                      histogram, scratch);
        });
    hand_in(p, picture, frame, c);
    parity_value(p, "masked", masked, sizeof masked);
    if (c) {
        parity_value(p, "sums", sums, sizeof sums);
        parity_value(p, "histogram", histogram, sizeof histogram);
    }
    free((void *)picture->column);
    free((void *)picture->row);
}

static void pictures(Parity *p)
{
    run(p, false);
}

static void contrasts(Parity *p)
{
    run(p, true);
}

/* Tests every row at processing size by itself. The kernel `pictures` begins with these rows. */
static void rows(Parity *p)
{
    static Setup setup;
    memset(&setup, 0, sizeof setup);
    set_up(&setup, p);
    const FvCambiPicture *picture = &setup.picture;
    const FvCambiKernels *kernels = fv_cambi_kernels(p->runner->isa);
    ptrdiff_t stride, to_stride;
    const uint8_t *source = parity_samples(p, "source", p->width, p->height, &stride);
    size_t used = (size_t)picture->width * sizeof(uint16_t);
    size_t room = FV_ROUND_UP((size_t)picture->width, 64) * sizeof(uint16_t);
    uint8_t *to = parity_output(p, "rows", used, picture->height, sizeof(uint16_t), room - used, &to_stride);
    void *scratch = parity_scratch(p, "scratch", kernels->scratch(picture));
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * (p->depth > 8 ? 2 : 1));
    PARITY_CALL(p, for (int y = 0; y < picture->height; y++)
                       kernels->row(picture, source, stride, y, (uint16_t *)(to + y * to_stride), scratch));
    free((void *)picture->column);
    free((void *)picture->row);
}

/* Windows of all sizes. Those with "contrasts" examine many contrasts. */
static const char *const windows[] = {"window 1",   "window 33",  "window 33, contrasts", "window 65",
                                      "window 129", "window 255", "window 5, contrasts",  NULL};
static const int window_sizes[] = {1, 33, 33, 65, 129, 255, 5};

/*
 * Returns the next sample of a row. Bands of rows have runs of different lengths and numbers of values: from one
 * pixel to any length, and from 2 to 400 values.
 */
static uint16_t run_sample(uint32_t *state, uint16_t before, int band)
{
    static const struct {
        uint32_t length, values;
    } kinds[] = {{1, 2}, {2, 400}, {3, 8}, {5, 400}, {17, 40}, {90, 12}};
    *state = *state * 1664525u + 1013904223u;
    uint32_t r = *state >> 8, kind = (uint32_t)band % (sizeof kinds / sizeof *kinds);
    if (before && r % kinds[kind].length)
        return before;
    return (uint16_t)(100 + r / 128 % kinds[kind].values);
}

static void paint_runs(uint8_t *samples, ptrdiff_t stride, int width, int height)
{
    uint32_t state = 1;
    for (int y = 0; y < height; y++) {
        uint16_t *row = (uint16_t *)(samples + y * stride), before = 0;
        int band = y / 12, equal = band % 4 == 3 ? 12 : 2; /* number of equal rows */
        if (y && (y < 64 || y % 12 % equal))
            memcpy(row, samples + (y - 1) * stride, (size_t)width * sizeof *row);
        else
            for (int x = 0; x < width; x++)
                row[x] = before = run_sample(&state, before, band + x / 400);
    }
}

/*
 * Paints cells of two columns, which the filter does not change. Where half of the surroundings must be flat, most
 * masked runs are then single pixels. There are many values, except for some rows in the middle with eight or two.
 */
static void paint_points(uint8_t *samples, ptrdiff_t stride, int width, int height)
{
    uint32_t state = 1;
    for (int y = 0; y < height; y++) {
        uint16_t *row = (uint16_t *)(samples + y * stride);
        int few = y - height / 64 * 32;
        uint32_t values = few <= 0 || few > 31 ? 200 : few < 10 ? 8 : 2;
        if (y % 12)
            memcpy(row, samples + (y - 1) * stride, (size_t)width * sizeof *row);
        for (int x = 0; x < width && y % 12 == 0; x++) {
            state = x % 2 ? state : state * 1664525u + 1013904223u;
            row[x] = (uint16_t)(100 + state / 32768 % values);
        }
    }
}

/* Computes all strips of a painted picture. */
static void paint_and_run(Parity *p, void (*paint)(uint8_t *samples, ptrdiff_t stride, int width, int height),
                          int mask)
{
    static Setup setup;
    memset(&setup, 0, sizeof setup);
    int window = p->variant, contrasts = window == 2 || window == 6;
    p->variant = contrasts ? CONTRASTS : 0;
    set_up(&setup, p);
    p->variant = window;
    FvCambiPicture *picture = &setup.picture;
    const FvCambiScale *scale = &picture->scale[0];
    picture->window = window_sizes[window];
    picture->radius = picture->window / 2;
    picture->mask_threshold = mask;
    fv_cambi_reciprocals(setup.reciprocal, picture->window * picture->window + 1);
    const FvCambiKernels *kernels = fv_cambi_kernels(p->runner->isa);
    ptrdiff_t stride;
    uint8_t *source = parity_input(p, "source", (size_t)p->width * sizeof(uint16_t), p->height, &stride);
    paint(source, stride, p->width, p->height);
    void *frame = parity_scratch(p, "frame", picture->bytes);
    void *scratch = parity_scratch(p, "scratch", kernels->scratch(picture));
    uint32_t histogram[FV_CAMBI_BINS] = {0};
    uint32_t *count = parity_scratch(p, "count", FV_CAMBI_IN_BIN * sizeof *count);
    FvCambiSum kept = {0}, sum = {0};
    uint64_t top = 0;
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * 2);
    PARITY_CALL(p, {
        kernels->prepare(picture, source, stride, frame, 0, scale->height, scratch);
        for (int x = 0, most = fv_cambi_strip(picture); x < scale->width; x += most) {
            int columns = scale->width - x < most ? scale->width - x : most;
            FvCambiSum strip = kernels->contrast(picture, frame, 0, x, columns, NULL, scratch);
            sum.sum += strip.sum;
            sum.nonzero += strip.nonzero;
            strip = kernels->contrast(picture, frame, 0, x, columns, histogram, scratch);
            kept.sum += strip.sum;
            kept.nonzero += strip.nonzero;
        }
        if (kept.nonzero)
            top = fv_cambi_top(kernels, scale, frame, histogram, kept.nonzero / 2 + 1, count);
    });
    size_t row = (size_t)scale->width * sizeof(float);
    float *plane = malloc(row * (size_t)scale->height);
    for (int y = 0; y < scale->height; y++)
        memcpy(plane + y * scale->width, fv_cambi_c(scale, frame, y), row);
    parity_value(p, "c", plane, row * (size_t)scale->height);
    parity_value(p, "sum", &sum, sizeof sum);
    parity_value(p, "kept sum", &kept, sizeof kept);
    parity_value(p, "histogram", histogram, sizeof histogram);
    parity_value(p, "greater half", &top, sizeof top);
    free(plane);
}

static void runs(Parity *p)
{
    paint_and_run(p, paint_runs, 2); /* masks nearly every pixel */
}

static void points(Parity *p)
{
    paint_and_run(p, paint_points, 21);
}

/* CAMBI needs 216 pixels on one side. At these sizes a single job has all bands and strips. */
static const ParitySize sizes[] = {{216, 5}, {217, 16}, {255, 33}, {256, 9}, {257, 2},
                                   {321, 1}, {33, 217}, {2, 216},  {0, 0}};
static const ParitySize run_sizes[] = {{1091, 150}, {512, 73}, {577, 260}, {0, 0}};
static const int depths[] = {8, 9, 10, 12, 16, 0}, few_depths[] = {8, 10, 0}, only_10[] = {10, 0};

const ParityKernel parity_cambi[] = {
    {.noun = "cambi",
     .name = "row",
     .body = rows,
     .sizes = sizes,
     .depths = depths,
     .variants = row_variants,
     .fills = PARITY_RANDOM | PARITY_EXTREMES | PARITY_GRADIENT,
     .bench = {-1, 0}},
    {.noun = "cambi",
     .name = "pictures",
     .body = pictures,
     .sizes = sizes,
     .depths = depths,
     .variants = variants,
     .fills = PARITY_RANDOM | PARITY_LOW | PARITY_GRADIENT,
     .bench = {-1, 0}},
    {.noun = "cambi",
     .name = "contrasts",
     .body = contrasts,
     .sizes = sizes,
     .depths = few_depths,
     .variants = variants,
     .fills = PARITY_LOW | PARITY_EXTREMES | PARITY_GRADIENT,
     .bench = {-1, 0}},
    {.noun = "cambi",
     .name = "runs",
     .body = runs,
     .sizes = run_sizes,
     .depths = only_10,
     .variants = windows,
     .fills = PARITY_RANDOM,
     .bench = {-1, 0}},
    {.noun = "cambi",
     .name = "points",
     .body = points,
     .sizes = run_sizes,
     .depths = only_10,
     .variants = windows,
     .fills = PARITY_RANDOM,
     .bench = {-1, 0}},
    {0},
};
