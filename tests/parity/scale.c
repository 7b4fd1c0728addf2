/* Parity cases of resampling: rows converted to wider words, and both directions, up and down, with every filter. */
#include <string.h>

#include "os/memory.h"
#include "parity.h"
#include "picture/frame.h"
#include "picture/scale_table.h"

static const int narrow[] = {8, 10, 14, 0}, deep[] = {15, 16, 0};
static const char *const kernels[] = {"bicubic up",   "bilinear up",   "lanczos up",   "spline36 up",   "identity",
                                      "bicubic down", "bilinear down", "lanczos down", "spline36 down", NULL};
enum { IDENTITY = 4 };

/* Opens the table from `in` to `out` samples for the variant's filter. */
static void open_table(const Parity *p, FvScaleTable *table, int in, int out)
{
    const FvScaleAxis axis = {.in = in, .out = out, .sub_in = 1, .sub_out = 1, .samples_in = in, .samples_out = out};
    const FvScaleKernel kernel = (FvScaleKernel)(p->variant % (IDENTITY + 1));
    FvError error;
    if (fv_scale_table_open(table, &axis, p->variant == IDENTITY ? FV_KERNEL_BICUBIC : kernel, 0, 0.6, &error))
        memset(table, 0, sizeof *table);
}

static int source_size(const Parity *p, int size)
{
    return p->variant == IDENTITY ? size : p->variant < IDENTITY ? (size * 2 + 2) / 3 : size * 5 / 2 + 1;
}

static void widen(Parity *p)
{
    ptrdiff_t stride;
    const uint8_t *row = parity_samples(p, "row", p->width, 1, &stride);
    int16_t *line = parity_output(p, "line", (size_t)p->width * sizeof *line, 1, sizeof *line, 0, NULL);
    parity_work(p, p->width, 3. * p->width);
    PARITY_CALL(p, fv_scale_kernels(p->runner->isa)->widen(line, row, p->depth > 8 ? 2 : 1, 14 - p->depth, p->width));
}

/* Tests the filter along columns on FV_SCALE_ROWS rows, or on all rows of a lower picture. */
static void columns(Parity *p)
{
    const int in = source_size(p, p->width), rows = p->height < FV_SCALE_ROWS ? p->height : FV_SCALE_ROWS;
    FvScaleTable table;
    open_table(p, &table, in, p->width);
    const int base = table.first[0];
    const int count = table.first[table.count - 1] + table.taps - base + FV_SCALE_WIDTH;
    const int16_t *lines[FV_SCALE_ROWS];
    int16_t *betweens[FV_SCALE_ROWS];
    for (int row = 0; row < rows; row++) {
        int16_t *line = parity_input(p, "line", (size_t)count * sizeof *line, 1, NULL);
        for (int i = 0; i < count; i++)
            line[i] = (int16_t)(parity_random(p) & ((1u << p->depth) - 1));
        lines[row] = line;
        betweens[row] = parity_output(p, "between", (size_t)p->width * sizeof *line, 1, sizeof *line,
                                      FV_SCALE_BLOCK * sizeof *line, NULL);
    }
    const int extra = 14 - p->depth;
    parity_work(p, (double)rows * p->width, 2. * rows * (count + p->width));
    PARITY_CALL(p,
                fv_scale_kernels(p->runner->isa)->columns(betweens, lines, rows, base, &table, 0, p->width, extra));
    fv_scale_table_close(&table);
}

static void columns_deep(Parity *p)
{
    const int in = source_size(p, p->width);
    FvScaleTable table;
    open_table(p, &table, in, p->width);
    const int base = table.first[0], count = table.first[table.count - 1] + table.taps - base;
    int32_t *line = parity_input(p, "line", (size_t)count * sizeof *line, 1, NULL);
    for (int i = 0; i < count; i++)
        line[i] = (int32_t)(parity_random(p) & ((1u << p->depth) - 1));
    int32_t *between = parity_output(p, "between", (size_t)p->width * sizeof *between, 1, sizeof *between,
                                     FV_SCALE_BLOCK * sizeof *between, NULL);
    parity_work(p, p->width, 4. * (count + p->width));
    PARITY_CALL(p, fv_scale_kernels(p->runner->isa)->columns_deep(between, line, base, &table, 0, p->width));
    fv_scale_table_close(&table);
}

/* Tests rows of samples that the columns could have made: from -0.18 to 1.18 times the depth's range. */
static void rows(Parity *p)
{
    FvScaleTable table;
    open_table(p, &table, source_size(p, 48), 48);
    const int pointers = table.used + (table.used & 1), extra = 14 - p->depth;
    const int16_t *between[64];
    ptrdiff_t stride = 0;
    int16_t *first =
        parity_input(p, "between", ((size_t)p->width + FV_SCALE_WIDTH) * sizeof *first, pointers, &stride);
    for (int i = 0; i < pointers; i++) {
        int16_t *row = (int16_t *)((uint8_t *)first + i * stride);
        for (int x = 0; x < p->width + FV_SCALE_WIDTH; x++)
            row[x] = (int16_t)((int)(parity_random(p) % 22281) - 2949);
        between[i] = row;
    }
    const int bytes = p->depth > 8 ? 2 : 1;
    uint8_t *out =
        parity_output(p, "out", (size_t)p->width * (size_t)bytes, 1, bytes, (size_t)FV_SCALE_WIDTH * bytes, NULL);
    parity_work(p, p->width, (2. * pointers + bytes) * p->width);
    const FvScaleKernels *kernels = fv_scale_kernels(p->runner->isa);
    PARITY_CALL(p, kernels->rows(out, between, &table, 17, p->width, extra, p->depth, true); kernels->settle());
    fv_scale_table_close(&table);
}

static void rows_deep(Parity *p)
{
    FvScaleTable table;
    open_table(p, &table, source_size(p, 48), 48);
    const int32_t *between[64];
    ptrdiff_t stride = 0;
    int32_t *first =
        parity_input(p, "between", ((size_t)p->width + FV_SCALE_WIDTH) * sizeof *first, table.used, &stride);
    for (int i = 0; i < table.used; i++) {
        int32_t *row = (int32_t *)((uint8_t *)first + i * stride);
        for (int x = 0; x < p->width + FV_SCALE_WIDTH; x++)
            row[x] = (int32_t)(parity_random(p) % (89128u >> (16 - p->depth))) - (11796 >> (16 - p->depth));
        between[i] = row;
    }
    uint16_t *out =
        parity_output(p, "out", (size_t)p->width * sizeof *out, 1, sizeof *out, FV_SCALE_WIDTH * sizeof *out, NULL);
    parity_work(p, p->width, (4. * table.used + 2) * p->width);
    PARITY_CALL(p, fv_scale_kernels(p->runner->isa)->rows_deep(out, between, &table, 17, p->width, p->depth));
    fv_scale_table_close(&table);
}

const ParityKernel parity_scale[] = {
    {.noun = "scale", .name = "widen", .body = widen, .depths = narrow},
    {.noun = "scale",
     .name = "columns",
     .body = columns,
     .depths = narrow,
     .fills = PARITY_RANDOM,
     .variants = kernels},
    {.noun = "scale",
     .name = "columns_deep",
     .body = columns_deep,
     .depths = deep,
     .fills = PARITY_RANDOM,
     .variants = kernels,
     .bench = {-1, 0}},
    {.noun = "scale", .name = "rows", .body = rows, .depths = narrow, .fills = PARITY_RANDOM, .variants = kernels},
    {.noun = "scale",
     .name = "rows_deep",
     .body = rows_deep,
     .depths = deep,
     .fills = PARITY_RANDOM,
     .variants = kernels,
     .bench = {-1, 0}},
    {0},
};
