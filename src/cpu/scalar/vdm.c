/* The visual discrimination model, the reference. */
#include "arith/scalar.h"

#include "arith/vdm.h"
#include "cpu/vdm.h"

#include <math.h>
#include <stdlib.h>

static float at(const FvVdmPlane *plane, int x, int y)
{
    return fv_vdm_row(plane, fv_vdm_mirror(y, plane->height))[fv_vdm_mirror(x, plane->width)];
}

/* ---- Retina ------------------------------------------------------------------------------------------------- */

static float luminance(const FvVdmOptics *optics, const uint8_t *samples, ptrdiff_t stride, int x, int y)
{
    const uint8_t *row = samples + fv_vdm_mirror(y, optics->height) * stride;
    x = fv_vdm_mirror(x, optics->width);
    if (optics->bytes == 4)
        return ((const float *)row)[x];
    int code = optics->bytes == 2 ? ((const uint16_t *)row)[x] : row[x];
    return optics->display[code < optics->greatest ? code : optics->greatest];
}

static void optics_rows(const FvVdmOptics *optics, const uint8_t *samples, ptrdiff_t stride, int row, int rows,
                        const FvVdmPlane *to, float *work)
{
    for (int y = row; y < row + rows; y++) {
        for (int x = 0; x < optics->width; x++) {
            float centre = luminance(optics, samples, stride, x, y), sum = centre;
            for (int a = 1; a <= optics->spread.radius; a++)
                for (int b = 0; b <= a; b++) {
                    float members = 0;
                    int count = 0;
                    for (int dy = -a; dy <= a; dy++)
                        for (int dx = -a; dx <= a; dx++) {
                            int far = abs(dx) > abs(dy) ? abs(dx) : abs(dy), near = abs(dx) + abs(dy) - far;
                            if (far != a || near != b)
                                continue;
                            float member = luminance(optics, samples, stride, x + dx, y + dy);
                            members = count++ ? members + member : member;
                        }
                    float weight = optics->spread.weight[a * (a + 1) / 2 + b];
                    sum = fv_vdm_spread(sum, centre, members, (float)count, weight);
                }
            fv_vdm_row(to, y)[x] = sum;
        }
        fv_vdm_reflect(fv_vdm_row(to, y), to->width, 2);
    }
}

/* ---- Pyramids ----------------------------------------------------------------------------------------------- */

/* Returns sample x of row y after the filter along the row. */
static float reduced_across(const FvVdmPlane *from, int x, int y)
{
    return fv_vdm_reduce(at(from, 2 * x, y), at(from, 2 * x - 1, y), at(from, 2 * x + 1, y), at(from, 2 * x - 2, y),
                         at(from, 2 * x + 2, y));
}

static void reduce(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work)
{
    for (int y = row; y < row + rows; y++) {
        for (int x = 0; x < to->width; x++)
            fv_vdm_row(to, y)[x] =
                fv_vdm_reduce(reduced_across(from, x, 2 * y), reduced_across(from, x, 2 * y - 1),
                              reduced_across(from, x, 2 * y + 1), reduced_across(from, x, 2 * y - 2),
                              reduced_across(from, x, 2 * y + 2));
        fv_vdm_reflect(fv_vdm_row(to, y), to->width, 2);
    }
}

static float expanded_across(const FvVdmPlane *from, int x, int y)
{
    int i = x / 2;
    if (x % 2)
        return fv_vdm_expand_odd(at(from, i, y), at(from, i + 1, y));
    return fv_vdm_expand_even(at(from, i, y), at(from, i - 1, y), at(from, i + 1, y));
}

static float expanded(const FvVdmPlane *from, int x, int y)
{
    int i = y / 2;
    if (y % 2)
        return fv_vdm_expand_odd(expanded_across(from, x, i), expanded_across(from, x, i + 1));
    return fv_vdm_expand_even(expanded_across(from, x, i), expanded_across(from, x, i - 1),
                              expanded_across(from, x, i + 1));
}

static void expand(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work)
{
    for (int y = row; y < row + rows; y++) {
        for (int x = 0; x < to->width; x++)
            fv_vdm_row(to, y)[x] = expanded(from, x, y);
        fv_vdm_reflect(fv_vdm_row(to, y), to->width, 2);
    }
}

/* ---- Responses ---------------------------------------------------------------------------------------------- */

/* Numbers for a rectangle of a level's samples, from (x, y) on. */
typedef struct Block {
    float *data;
    int x, y, width, height;
} Block;

/*
 * Returns the tile extended by `across` and `down` samples on each side, limited to the level. Takes its memory from
 * *work.
 */
static Block block_around(const FvVdmLevel *level, FvVdmTile tile, int across, int down, float **work)
{
    int x0 = fv_max_i32(tile.x - across, 0), x1 = fv_min_i32(tile.x + tile.width + across, level->sum.width);
    int y0 = fv_max_i32(tile.y - down, 0), y1 = fv_min_i32(tile.y + tile.height + down, level->sum.height);
    Block block = {*work, x0, y0, x1 - x0, y1 - y0};
    *work += (size_t)block.width * block.height;
    return block;
}

static float *place(const FvVdmLevel *level, const Block *block, int x, int y)
{
    x = fv_vdm_mirror(x, level->sum.width);
    y = fv_vdm_mirror(y, level->sum.height);
    return &block->data[(size_t)(y - block->y) * block->width + x - block->x];
}

static FvVdmEleven line(const FvVdmLevel *level, const Block *block, int x, int y, int across, int down)
{
    float left[6], right[6];
    for (int i = 0; i < 6; i++) {
        left[i] = *place(level, block, x - i * across, y - i * down);
        right[i] = *place(level, block, x + i * across, y + i * down);
    }
    return (FvVdmEleven){left[0],
                         left[1] + right[1],
                         left[2] + right[2],
                         left[3] + right[3],
                         left[4] + right[4],
                         left[5] + right[5],
                         right[1] - left[1],
                         right[2] - left[2],
                         right[3] - left[3],
                         right[4] - left[4],
                         right[5] - left[5]};
}

static void keep_response(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, int picture,
                          FvVdmStage stage, int x, int y, float value)
{
    bool inside = x >= tile.x && x < tile.x + tile.width && y >= tile.y && y < tile.y + tile.height;
    if (seen && seen->plane[picture][stage] && inside)
        seen->plane[picture][stage][y * level->sum.stride + x] = value;
}

static float weight_at(const float *weights, float adaptation)
{
    float luminance = fv_vdm_weight_luminance(adaptation);
    int node = fv_vdm_weight_node(luminance);
    return fv_vdm_weight(luminance, weights[node], weights[node + 1]);
}

/* Adds the responses of one frame to `difference`, or subtracts them. */
static void respond_picture(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, int picture,
                            const Block difference[4], float *work)
{
    Block contrast = block_around(level, tile, 7, 7, &work), weight = block_around(level, tile, 7, 7, &work);
    for (int i = 0; i < contrast.width * contrast.height; i++) {
        int x = contrast.x + i % contrast.width, y = contrast.y + i / contrast.width;
        float adaptation = fv_vdm_adaptation(expanded(&level->mean[picture], x, y));
        contrast.data[i] =
            fv_vdm_contrast(at(&level->gauss[picture], x, y), expanded(&level->coarse[picture], x, y), adaptation);
        weight.data[i] = weight_at(level->weights, adaptation);
        keep_response(level, tile, seen, picture, FV_VDM_CONTRAST, x, y, contrast.data[i]);
        keep_response(level, tile, seen, picture, FV_VDM_ADAPTATION, x, y, adaptation);
    }

    enum { M0, M1, G2, H2, H3, ROWS };
    Block rows[ROWS];
    for (int i = 0; i < ROWS; i++)
        rows[i] = block_around(level, tile, 2, 7, &work);
    for (int i = 0; i < rows->width * rows->height; i++) {
        FvVdmEleven eleven = line(level, &contrast, rows->x + i % rows->width, rows->y + i / rows->width, 1, 0);
        rows[M0].data[i] = fv_vdm_m0(eleven);
        rows[M1].data[i] = fv_vdm_m1(eleven);
        rows[G2].data[i] = fv_vdm_g2(eleven);
        rows[H2].data[i] = fv_vdm_h2(eleven);
        rows[H3].data[i] = fv_vdm_h3(eleven);
    }

    const FvVdmTransducer *t = &level->transducer;
    for (int i = 0; i < difference->width * difference->height; i++) {
        int x = difference->x + i % difference->width, y = difference->y + i / difference->width;
        FvVdmEleven m0 = line(level, &rows[M0], x, y, 0, 1), m1 = line(level, &rows[M1], x, y, 0, 1);
        FvVdmFour energy = fv_vdm_energy(fv_vdm_m0(line(level, &rows[G2], x, y, 0, 1)), fv_vdm_m1(m1), fv_vdm_g2(m0),
                                         fv_vdm_m0(line(level, &rows[H3], x, y, 0, 1)),
                                         fv_vdm_m1(line(level, &rows[H2], x, y, 0, 1)), fv_vdm_h2(m1), fv_vdm_h3(m0));
        const float four[4] = {energy.at0, energy.at45, energy.at90, energy.at135};
        for (int o = 0; o < 4; o++) {
            float response = fv_vdm_response(four[o], *place(level, &weight, x, y), t->half_n, t->half_difference,
                                             t->kappa, t->gain, t->square);
            difference[o].data[i] = picture ? difference[o].data[i] - response : response;
            keep_response(level, tile, seen, picture, FV_VDM_ENERGY + o, x, y, four[o]);
            keep_response(level, tile, seen, picture, FV_VDM_RESPONSE + o, x, y, response);
        }
    }
}

static float mean_across(const FvVdmLevel *level, const Block *d, int x, int y)
{
    return fv_vdm_mean5(*place(level, d, x - 2, y), *place(level, d, x - 1, y), *place(level, d, x, y),
                        *place(level, d, x + 1, y), *place(level, d, x + 2, y));
}

static float pooled(const FvVdmLevel *level, const Block *d, int x, int y)
{
    if (level->pool == 1)
        return *place(level, d, x, y);
    return fv_vdm_mean5(mean_across(level, d, x, y - 2), mean_across(level, d, x, y - 1), mean_across(level, d, x, y),
                        mean_across(level, d, x, y + 1), mean_across(level, d, x, y + 2));
}

static void respond(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, float *work)
{
    Block difference[4];
    for (int o = 0; o < 4; o++)
        difference[o] = block_around(level, tile, 2, 2, &work);
    respond_picture(level, tile, seen, 0, difference, work);
    respond_picture(level, tile, seen, 1, difference, work);
    for (int y = tile.y; y < tile.y + tile.height; y++)
        for (int x = tile.x; x < tile.x + tile.width; x++) {
            float sum = fv_vdm_distance(pooled(level, &difference[0], x, y), level->q);
            for (int o = 1; o < 4; o++)
                sum = sum + fv_vdm_distance(pooled(level, &difference[o], x, y), level->q);
            fv_vdm_row(&level->sum, y)[x] = sum;
        }
}

/* ---- Map ---------------------------------------------------------------------------------------------------- */

static void add(const FvVdmPlane *coarse, const FvVdmPlane *sum, float *work)
{
    for (int y = 0; y < sum->height; y++) {
        float *row = fv_vdm_row(sum, y);
        for (int x = 0; coarse && x < sum->width; x++)
            row[x] = row[x] + expanded(coarse, x, y);
        fv_vdm_reflect(row, sum->width, 2);
    }
}

static void jnd(const FvVdmPlane *sum, const FvVdmPlane *coarse, float inverse_q, int row, int rows,
                const FvVdmPlane *to, float *work)
{
    for (int y = row; y < row + rows; y++) {
        for (int x = 0; x < to->width; x++) {
            float all = fv_vdm_row(sum, y)[x];
            if (coarse)
                all = all + expanded(coarse, x, y);
            fv_vdm_row(to, y)[x] = fv_vdm_jnd(all, inverse_q);
        }
        fv_vdm_reflect(fv_vdm_row(to, y), to->width, 2);
    }
}

/* ---- Statistics --------------------------------------------------------------------------------------------- */

static void count_row(const float *row, int width, FvVdmCount *count, FvVdmSums *sums)
{
    *sums = (FvVdmSums){0};
    for (int x = 0; x < width; x++) {
        const FvVdmSums own = fv_vdm_summands(row[x], FV_VDM_LIMIT);
        sums->jnd += own.jnd;
        sums->square += own.square;
        sums->fourth += own.fourth;
        count->least = fv_min_f32(count->least, row[x]);
        count->greatest = fv_max_f32(count->greatest, row[x]);
        count->visible += row[x] >= 1;
        count->bins[fv_bits(row[x]) >> 16]++;
    }
}

const FvVdmKernels fv_vdm_kernels_scalar = {
    .optics = optics_rows,
    .reduce = reduce,
    .expand = expand,
    .respond = respond,
    .add = add,
    .jnd = jnd,
    .count = count_row,
};
