/*
 * ADM in plain C: the reference, including every wrap at 16 and 32 bits. docs/metrics/adm.md gives the formulas in
 * the same order.
 */
#include "cpu/adm.h"

#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/adm.h"
#include "arith/adm_split.h"

static int16_t wrap16(int32_t x)
{
    return (int16_t)(uint16_t)(uint32_t)x;
}

static int32_t wrap32(int64_t x)
{
    return (int32_t)(uint32_t)(uint64_t)x;
}

/* ---- Wavelet ------------------------------------------------------------------------------------------------- */

static int32_t input_at(const FvAdmScale *scale, const FvAdmPlane *input, int x, int y)
{
    const uint8_t *row = (const uint8_t *)input->data + y * input->stride;
    if (scale->scale == 0)
        return (scale->depth == 8 ? row[x] : ((const uint16_t *)row)[x]) - (1 << (scale->depth - 1));
    return scale->scale == 1 ? ((const int16_t *)row)[x] : ((const int32_t *)row)[x];
}

static int32_t rounded(int64_t sum, int shift)
{
    return (int32_t)((sum + ((int64_t)1 << shift >> 1)) >> shift);
}

/* Computes row y of the four bands of one frame. The caller may keep the low-pass row. */
static void wavelet(const FvAdmScale *scale, const FvAdmPlane *input, int y, const FvAdmScratch *scratch,
                    int32_t *const band[3])
{
    const int down_bits[FV_ADM_SCALES] = {scale->depth, 0, 16, 16}, across_bits[FV_ADM_SCALES] = {16, 15, 16, 15};
    for (int x = 0; x < scale->width; x++) {
        int64_t low = 0, high = 0;
        for (int k = 0; k < 4; k++) {
            int32_t value = input_at(scale, input, x, fv_adm_place(y, k, scale->height));
            low += (int64_t)fv_adm_low[k] * value;
            high += (int64_t)fv_adm_high[k] * value;
        }
        scratch->vertical[0][x] = rounded(low, down_bits[scale->scale]);
        scratch->vertical[1][x] = rounded(high, down_bits[scale->scale]);
    }
    int32_t *const to[2][2] = {{scratch->low, band[1]}, {band[0], band[2]}}; /* [vertical][horizontal] */
    for (int x = 0; x < scale->columns; x++)
        for (int down = 0; down < 2; down++) {
            int64_t low = 0, high = 0;
            for (int k = 0; k < 4; k++) {
                int32_t value = scratch->vertical[down][fv_adm_place(x, k, scale->width)];
                low += (int64_t)fv_adm_low[k] * value;
                high += (int64_t)fv_adm_high[k] * value;
            }
            to[down][0][x] = rounded(low, across_bits[scale->scale]);
            to[down][1][x] = rounded(high, across_bits[scale->scale]);
        }
}

static void keep_low(const FvAdmScale *scale, const int32_t *from, const FvAdmPlane *to, int y)
{
    uint8_t *row = (uint8_t *)to->data + y * to->stride;
    for (int x = 0; x < scale->columns; x++)
        if (scale->scale == 0)
            ((int16_t *)row)[x] = (int16_t)from[x];
        else
            ((int32_t *)row)[x] = from[x];
}

/* ---- Coefficients -------------------------------------------------------------------------------------------- */

static bool aligned(int64_t oh, int64_t ov, int64_t th, int64_t tv)
{
    return fv_adm_aligned((float)(oh * th + ov * tv), (float)(oh * oh + ov * ov), (float)(th * th + tv * tv));
}

/* Computes the restored and the additive part, both times the sign of o. */
static void split(const FvAdmScale *scale, int32_t o, int32_t t, bool same, int64_t part[2])
{
    FvAdmSplit parts = scale->scale ? fv_adm_split(o, t) : fv_adm_split0(o, t);
    if (scale->limit)
        parts = scale->scale ? fv_adm_enhance(parts, same, (fv_word)scale->limit)
                             : fv_adm_enhance0(parts, same, scale->limit);
    else if (same)
        parts.restored = (int32_t)fv_adm_enhanced(parts.restored, parts.along, scale->gain_limit);
    part[0] = parts.restored;
    part[1] = parts.along - parts.restored;
}

/* Adds the coefficient of one part and one band at column x to the line. */
static void add_part(const FvAdmScale *scale, FvAdmLine *line, int side, int band, int x, int64_t part, bool negative)
{
    uint32_t magnitude = (uint32_t)llabs(part), factor = scale->factor[band];
    int32_t weighted, around, centre;
    if (scale->scale == 0) {
        weighted = (int32_t)(factor * magnitude);
        int32_t masker = abs(wrap16(fv_adm_masker0(weighted, negative, band == 2)));
        around = wrap16(fv_adm_around0(masker));
        centre = fv_adm_centre0(masker);
    } else {
        int32_t wrapped = wrap32((int64_t)fv_adm_weighted(factor, magnitude, negative));
        weighted = wrapped < 0 ? (int32_t) - (uint32_t)wrapped : wrapped;
        around = (int32_t)fv_adm_around((uint32_t)weighted);
        centre = (int32_t)fv_adm_centre((uint32_t)weighted);
    }
    line->weighted[side][band][x] = weighted;
    line->around[side][x] += around;
    line->centre[side][x] += centre - around;
}

static void measure_row(const FvAdmScale *scale, const FvAdmScratch *scratch, int y)
{
    FvAdmLine line = scratch->line[y % 3];
    for (int x = 0; x < scale->columns; x++) {
        int32_t o[3], t[3];
        for (int band = 0; band < 3; band++) {
            o[band] = scratch->band[0][band][x];
            t[band] = scratch->band[1][band][x];
        }
        for (int side = 0; side < 2; side++)
            line.around[side][x] = line.centre[side][x] = 0;
        bool same = aligned(o[0], o[1], t[0], t[1]);
        for (int band = 0; band < 3; band++) {
            int64_t part[2];
            split(scale, o[band], t[band], same, part);
            for (int side = 0; side < 2; side++)
                add_part(scale, &line, side, band, x, part[side], (o[band] < 0) != (part[side] < 0));
        }
    }
}

/* ---- Sums ---------------------------------------------------------------------------------------------------- */

/* Returns an index inside the band: mirrored before the start, the last index repeated after the end. */
static int inside(int i, int size)
{
    return i < 0 ? -i : i >= size ? 2 * size - 1 - i : i;
}

static int32_t threshold(const FvAdmScale *scale, const FvAdmScratch *scratch, int side, int x, int y)
{
    uint32_t sum = (uint32_t)scratch->line[y % 3].centre[side][x];
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            sum +=
                (uint32_t)scratch->line[inside(y + i, scale->rows) % 3].around[side][inside(x + j, scale->columns)];
    return (int32_t)sum;
}

static void add_numerators(const FvAdmScale *scale, const FvAdmScratch *scratch, int y, FvAdmSums *sums)
{
    for (int side = 0; side < (scale->impairment ? 2 : 1); side++) {
        int64_t row[3] = {0, 0, 0};
        for (int x = scale->left; x < scale->right; x++) {
            int32_t limit = threshold(scale, scratch, 1 - side, x, y);
            for (int band = 0; band < 3; band++) {
                int32_t weighted = scratch->line[y % 3].weighted[side][band][x];
                int32_t excess = fv_adm_excess(weighted, limit, scale->threshold_bits[band]);
                row[band] += fv_adm_cube_wrapped((uint32_t)excess, scale->square_bits[band], scale->cube_bits[band]);
            }
        }
        for (int band = 0; band < 3; band++)
            (side ? sums->additive : sums->restored)[band] += fv_adm_row_rounded(row[band], scale->row_bits);
    }
}

/* Adds to the denominator the row whose bands are in the scratch memory. */
static void add_detail(const FvAdmScale *scale, const FvAdmScratch *scratch, FvAdmSums *sums)
{
    for (int band = 0; band < 3; band++) {
        uint64_t row = 0;
        for (int x = scale->left; x < scale->right; x++) {
            uint32_t magnitude = (uint32_t)llabs((long long)scratch->band[0][band][x]);
            row += scale->scale == 0 ? fv_adm_detail0(magnitude)
                                     : fv_adm_detail(magnitude, scale->detail_square_bits, scale->detail_cube_bits);
        }
        sums->detail[band] +=
            (int64_t)((row + ((uint64_t)1 << scale->detail_row_bits >> 1)) >> scale->detail_row_bits);
    }
}

static void rows(const FvAdmScale *scale, const FvAdmPlane input[2], const FvAdmPlane low[2], int first, int count,
                 void *memory, FvAdmSums *sums)
{
    FvAdmScratch scratch = fv_adm_scratch(scale, memory);
    FvAdmReach reach = fv_adm_reach(scale, first, count);
    *sums = (FvAdmSums){{0}, {0}, {0}};
    for (int y = reach.from; y < reach.to; y++) {
        for (int picture = 0; picture < 2; picture++) {
            wavelet(scale, &input[picture], y, &scratch, scratch.band[picture]);
            if (y >= first && y < first + count)
                keep_low(scale, scratch.low, &low[picture], y);
        }
        if (y < reach.top - 1 || y > reach.bottom)
            continue;
        measure_row(scale, &scratch, y);
        if (y >= reach.top && y < reach.bottom)
            add_detail(scale, &scratch, sums);
        if (y > reach.top)
            add_numerators(scale, &scratch, y - 1, sums);
    }
    if (reach.top < reach.bottom && reach.bottom == scale->rows)
        add_numerators(scale, &scratch, reach.bottom - 1, sums);
}

const FvAdmKernels fv_adm_kernels_scalar = {.rows = rows};
