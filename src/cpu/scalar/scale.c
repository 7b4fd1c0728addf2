/* Resampling, the reference. */
#include "cpu/scale.h"

#include "arith/scalar.h"

#include "arith/scale.h"

static void widen(int16_t *line, const uint8_t *row, int bytes, int shift, int count)
{
    for (int i = 0; i < count; i++)
        line[i] = (int16_t)((bytes == 1 ? row[i] : ((const uint16_t *)row)[i]) << shift);
}

static void columns(int16_t *const *between, const int16_t *const *line, int rows, int base,
                    const FvScaleTable *table, int from, int end, int extra)
{
    for (int row = 0; row < rows; row++)
        for (int x = from; x < end; x++) {
            int32_t sum = fv_scale_between_half(extra);
            for (int tap = 0; tap < table->used; tap++)
                sum += fv_scale_coefficient(table, x, tap) * line[row][table->first[x] + tap - base];
            between[row][x - from] = (int16_t)fv_scale_between(sum, extra);
        }
}

static void columns_deep(int32_t *between, const int32_t *line, int base, const FvScaleTable *table, int from,
                         int end)
{
    for (int x = from; x < end; x++) {
        int32_t sum = fv_scale_between_half(0);
        for (int tap = 0; tap < table->used; tap++)
            sum += fv_scale_coefficient(table, x, tap) * line[table->first[x] + tap - base];
        between[x - from] = fv_scale_between(sum, 0);
    }
}

static void rows(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count, int extra,
                 int depth, bool stream)
{
    for (int x = 0; x < count; x++) {
        int32_t sum = fv_scale_end_half(extra);
        for (int tap = 0; tap < table->used; tap++)
            sum += fv_scale_coefficient(table, y, tap) * between[tap][x];
        int32_t sample = fv_scale_clip(fv_scale_end(sum, extra), (1 << depth) - 1);
        if (depth == 8)
            out[x] = (uint8_t)sample;
        else
            ((uint16_t *)out)[x] = (uint16_t)sample;
    }
}

static void rows_deep(uint16_t *out, const int32_t *const *between, const FvScaleTable *table, int y, int count,
                      int depth)
{
    for (int x = 0; x < count; x++) {
        int32_t sum = fv_scale_end_half(0);
        for (int tap = 0; tap < table->used; tap++)
            sum += fv_scale_coefficient(table, y, tap) * between[tap][x];
        out[x] = (uint16_t)fv_scale_clip(fv_scale_end(sum, 0), (1 << depth) - 1);
    }
}

static void settle(void)
{
}

const FvScaleKernels fv_scale_kernels_scalar = {.widen = widen,
                                                .columns = columns,
                                                .columns_deep = columns_deep,
                                                .rows = rows,
                                                .rows_deep = rows_deep,
                                                .settle = settle};
