/*
 * Resampling on the CPU: filters rows of samples along the row and then down the columns. Functions with `_deep` are
 * for 15 and 16 bits. docs/scaling.md
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"

#define FV_SCALE_GROUP 4  /* numbers of taps are rounded up to a multiple of this */
#define FV_SCALE_BLOCK 32 /* outputs per block; a table is padded to whole blocks with coefficients 0 */
/* Maximum samples that a call may read, and outputs that it may compute, past the last ones. */
#define FV_SCALE_WIDTH 32
#define FV_SCALE_ROWS 4 /* maximum number of rows of one call of `columns` */

/*
 * Filter weights of one direction: coefficient[2 * (j / 2 * padded + i) + j % 2] is the weight of sample first[i] + j
 * in output i. An index outside the line means the sample at the edge.
 */
typedef struct FvScaleTable {
    bool identity;
    int count, padded; /* number of outputs, and that number rounded up to FV_SCALE_BLOCK */
    /* Maximum number of taps of an output, and that number rounded up to a multiple of FV_SCALE_GROUP. */
    int used, taps;
    int near4, near16; /* maximum distance between the first samples of 4, and of 16, consecutive outputs */
    int *first;
    int16_t *coefficient;
} FvScaleTable;

static inline int fv_scale_coefficient(const FvScaleTable *table, int i, int tap)
{
    return table->coefficient[((ptrdiff_t)(tap / 2) * table->padded + i) * 2 + tap % 2];
}

typedef struct FvScaleKernels {
    /* Sets line[i] = row[i] << shift, for samples of 1 or 2 bytes. */
    void (*widen)(int16_t *line, const uint8_t *row, int bytes, int shift, int count);
    /*
     * Filters `rows` rows along the row: columns [from, end) of line[r] to between[r], where from is a multiple of
     * FV_SCALE_BLOCK. line[r][0] is sample number `base`. A line holds all samples that the table names, edges
     * included, and may be read up to FV_SCALE_GROUP + FV_SCALE_WIDTH samples further.
     */
    void (*columns)(int16_t *const *between, const int16_t *const *line, int rows, int base,
                    const FvScaleTable *table, int from, int end, int extra);
    void (*columns_deep)(int32_t *between, const int32_t *line, int base, const FvScaleTable *table, int from,
                         int end);
    /*
     * Filters down the columns: writes row `y` of the output, `count` samples of `depth` bits. `between` has one row
     * for each used tap of the table's entry, and one more if their number is odd. Rows may be read, and `out`
     * written, up to FV_SCALE_WIDTH samples further. With `stream`, writes bypass the cache; call `settle` before
     * another thread reads them.
     */
    void (*rows)(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count, int extra,
                 int depth, bool stream);
    void (*rows_deep)(uint16_t *out, const int32_t *const *between, const FvScaleTable *table, int y, int count,
                      int depth);
    void (*settle)(void);
} FvScaleKernels;

FV_FAMILY(FvScaleKernels, fv_scale_kernels)
