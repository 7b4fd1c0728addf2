/* PSNR-HVS, the reference. */
#include "arith/scalar.h"

#include "arith/psnr_hvs.h"
#include "cpu/psnr_hvs.h"

static int sample(const FvHvsPlane *plane, int picture, int x, int y)
{
    const uint8_t *row = picture ? plane->dis + y * plane->dis_stride : plane->ref + y * plane->ref_stride;
    return plane->depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

static void variances(FvHvsBlock *block, int picture, int p[8][8])
{
    int total = 0, quadrant_total[4] = {0};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            total += p[i][j];
            quadrant_total[(i >= 4) + 2 * (j >= 4)] += p[i][j];
        }
    float whole = 0, quadrant[4] = {0};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int k = (i >= 4) + 2 * (j >= 4);
            float value = fv_f32_from_i32(p[i][j]);
            whole = fv_hvs_add_deviation(whole, value, fv_hvs_block_mean(total));
            quadrant[k] = fv_hvs_add_deviation(quadrant[k], value, fv_hvs_quadrant_mean(quadrant_total[k]));
        }
    float *v = block->quadrant[picture];
    for (int k = 0; k < 4; k++)
        v[k] = fv_hvs_quadrant_variance(quadrant[k]);
    block->block[picture] = fv_hvs_block_variance(whole);
    block->ratio[picture] = fv_hvs_ratio(block->block[picture], v[0], v[1], v[2], v[3]);
}

static void transform(FvHvsBlock *block, int picture, int p[8][8])
{
    FvHvsEight z[8];
    for (int j = 0; j < 8; j++) {
        FvHvsEight column;
        for (int i = 0; i < 8; i++)
            column.v[i] = p[i][j];
        z[j] = fv_hvs_dct(column);
    }
    for (int v = 0; v < 8; v++) {
        FvHvsEight row;
        for (int j = 0; j < 8; j++)
            row.v[j] = z[j].v[v];
        row = fv_hvs_dct(row);
        for (int h = 0; h < 8; h++)
            block->coefficient[picture][8 * v + h] = row.v[h];
    }
}

static void errors(const FvHvsPlane *plane, FvHvsBlock *block)
{
    const float *weight = fv_hvs_weight + 64 * plane->index, *mask = fv_hvs_mask + 64 * plane->index;
    for (int picture = 0; picture < 2; picture++) {
        float energy = 0;
        for (int c = 1; c < 64; c++)
            energy = fv_hvs_add_energy(energy, fv_f32_from_i32(block->coefficient[picture][c]), mask[c]);
        block->energy[picture] = energy;
        block->threshold[picture] = fv_hvs_threshold(energy, block->ratio[picture]);
    }
    float threshold = fv_max_f32(block->threshold[0], block->threshold[1]);
    for (int c = 0; c < 64; c++) {
        float difference = fv_f32_from_i32(block->coefficient[0][c] - block->coefficient[1][c]);
        float hidden = c ? fv_div(threshold, mask[c]) : 0;
        block->addend[c] = fv_hvs_addend(fv_hvs_visible(difference, hidden), weight[c]);
    }
}

static void block_at(const FvHvsPlane *plane, int column, int row, FvHvsBlock *block)
{
    for (int picture = 0; picture < 2; picture++) {
        int p[8][8];
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                p[i][j] = sample(plane, picture, FV_HVS_STEP * column + j, FV_HVS_STEP * row + i);
        variances(block, picture, p);
        transform(block, picture, p);
    }
    errors(plane, block);
}

static void trace(const FvHvsPlane *plane, int row, FvHvsBlock *blocks)
{
    for (int column = 0; column < plane->columns; column++)
        block_at(plane, column, row, &blocks[column]);
}

static float sum_rows(const FvHvsPlane *plane, int row, int count, float sum)
{
    for (int y = row; y < row + count; y++)
        for (int column = 0; column < plane->columns; column++) {
            FvHvsBlock block;
            block_at(plane, column, y, &block);
            for (int c = 0; c < 64; c++)
                sum += block.addend[c];
        }
    return sum;
}

static void steps(const FvHvsPlane *plane, int row, int count, FvHvsStep *step)
{
    for (int y = 0; y < count; y++)
        for (uint32_t odd = 0; odd < 2 && step[y].binade; odd++) {
            uint32_t start = step[y].binade + odd;
            uint32_t end = fv_bits(sum_rows(plane, row + y, 1, fv_f32_from_bits(start)));
            step[y].gain[odd] = (end & FV_HVS_BINADE) == step[y].binade ? end - start : FV_HVS_LEAVES;
        }
}

const FvHvsKernels fv_hvs_kernels_scalar = {.sum = sum_rows, .steps = steps, .trace = trace};
