/* Resampling on the CPU: rows of samples through the two directions. `deep` is for 15 and 16 bits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/isa.h"

#define FV_SCALE_GROUP 4  /* taps are padded to groups */
#define FV_SCALE_BLOCK 32 /* and outputs to blocks, with coefficients 0 */
#define FV_SCALE_WIDTH 32 /* samples that a call may read and outputs that it may compute beyond its last ones */
#define FV_SCALE_ROWS 4   /* maximum number of rows of one call of `columns` */

/* Sample `first[i] + j` weighs coefficient[(j / 2 * padded + i) * 2 + j % 2]; it is that at the edge outside. */
typedef struct FvScaleTable {
    bool identity;
    int count, padded; /* outputs; rounded up to a block */
    int used, taps;    /* maximum number of taps of an output, and that number rounded up to a group */
    int near4, near16; /* how far apart the first samples of 4 and of 16 outputs in a row are at most */
    int *first;
    int16_t *coefficient;
} FvScaleTable;

static inline int fv_scale_coefficient(const FvScaleTable *table, int i, int tap)
{
    return table->coefficient[((ptrdiff_t)(tap / 2) * table->padded + i) * 2 + tap % 2];
}

typedef struct FvScaleKernels {
    /* line[i] = row[i] << shift, samples of 1 or 2 bytes. */
    void (*widen)(int16_t *line, const uint8_t *row, int bytes, int shift, int count);
    /*
     * Columns from to end - 1 (from is a multiple of FV_SCALE_BLOCK) of `rows` rows: line[r] into between[r][0] and
     * on. line[r][0] is sample number `base`; it has what the table asks for, edges included, and may be read up to a
     * group and FV_SCALE_WIDTH samples further.
     */
    void (*columns)(int16_t *const *between, const int16_t *const *line, int rows, int base,
                    const FvScaleTable *table, int from, int end, int extra);
    void (*columns_deep)(int32_t *between, const int32_t *line, int base, const FvScaleTable *table, int from,
                         int end);
    /*
     * Row `y` of the output: `count` samples of `depth` bits from the rows that the table names, one pointer for each
     * tap that is used, and one more when their number is odd. Rows of `between` may be read, and `out` written, up
     * to FV_SCALE_WIDTH samples further. With `stream`, writes bypass the cache; call `settle` before another thread
     * reads them.
     */
    void (*rows)(uint8_t *out, const int16_t *const *between, const FvScaleTable *table, int y, int count, int extra,
                 int depth, bool stream);
    void (*rows_deep)(uint16_t *out, const int32_t *const *between, const FvScaleTable *table, int y, int count,
                      int depth);
    void (*settle)(void);
} FvScaleKernels;

FV_FAMILY(FvScaleKernels, fv_scale_kernels)
