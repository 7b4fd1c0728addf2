/* ProRes kernels, the reference. */
#include "cpu/prores.h"

#include "arith/scalar.h"

#include "arith/prores.h"

static void entropy(FvProresString *strings, int count)
{
    for (int i = 0; i < count; i++) {
        fv_prores_read_dc(&strings[i]);
        fv_prores_read_ac(&strings[i]);
    }
}

static FvProresEight row(const FvProresBlocks *blocks, int j, int v)
{
    FvProresEight f;
    for (int u = 0; u < 8; u++) {
        int i = 8 * v + u, scale = fv_prores_wrap16(blocks->quantiser[i] * blocks->scale);
        f.v[u] = fv_prores_dequantise(blocks->coefficients[(blocks->scan[i] << blocks->log2_blocks) + j], scale);
    }
    return blocks->depth == 12 ? fv_prores_row12(f) : fv_prores_row10(f);
}

static void transform(const FvProresBlocks *blocks)
{
    for (int j = 0; j < 1 << blocks->log2_blocks; j++) {
        int x = fv_prores_block_x(blocks->plane, j), y = fv_prores_block_y(blocks->plane, j);
        FvProresEight rows[8];
        for (int v = 0; v < 8; v++)
            rows[v] = row(blocks, j, v);
        for (int u = 0; u < 8; u++) {
            FvProresEight column;
            for (int v = 0; v < 8; v++)
                column.v[v] = rows[v].v[u];
            column = blocks->depth == 12 ? fv_prores_column12(column) : fv_prores_column10(column);
            for (int v = 0; v < 8 && y + v < blocks->rows; v++)
                ((uint16_t *)(blocks->to + (y + v) * blocks->stride))[x + u] = (uint16_t)column.v[v];
        }
    }
}

const FvProresKernels fv_prores_kernels_scalar = {.entropy = entropy, .transform = transform};
