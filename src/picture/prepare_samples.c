#include "picture/prepare_samples.h"

#include "base/divide.h"

static int clip(int64_t value, int depth)
{
    const int64_t maximum = ((int64_t)1 << depth) - 1;
    return (int)(value < 0 ? 0 : value > maximum ? maximum : value);
}

/*
 * Converts a sample to more bits. Limited-range samples are multiplied by a power of two, full-range ones rounded to
 * nearest.
 */
static int deepen(int v, int depth, int deep, FvRange range)
{
    const int64_t from = (1 << depth) - 1, to = (1 << deep) - 1;
    if (range != FV_RANGE_FULL)
        return v << (deep - depth);
    return (int)fv_floor_div(2 * v * to + from, 2 * from);
}

static int change_range(int v, int depth, bool chroma, FvRange to_range)
{
    const int64_t full = (1 << depth) - 1, unit = 1 << (depth - 8);
    const int64_t span = (chroma ? 224 : 219) * unit;
    const int64_t zero = chroma ? 1 << (depth - 1) : 16 * unit, zero_full = chroma ? 1 << (depth - 1) : 0;
    if (to_range == FV_RANGE_FULL)
        return clip(zero_full + fv_floor_div(2 * (v - zero) * full + span, 2 * span), depth);
    return clip(zero + fv_floor_div(2 * (v - zero_full) * span + full, 2 * full), depth);
}

void fv_prepare_table(uint16_t *table, int depth, int deep, FvRange range, FvRange to_range, bool chroma)
{
    for (int v = 0; v < 1 << depth; v++) {
        int sample = deepen(v, depth, deep, range);
        if (to_range && to_range != range)
            sample = change_range(sample, deep, chroma, to_range);
        table[v] = (uint16_t)sample;
    }
}

/*
 * Returns the dithering threshold of a sample, in [0, 63], each once in 8 by 8 samples: the bits of x ^ y and of y,
 * interleaved and in reverse order.
 */
static int threshold(int x, int y)
{
    int m = 0;
    for (int k = 0; k < 3; k++)
        m |= ((x ^ y) >> k & 1) << (5 - 2 * k) | (y >> k & 1) << (4 - 2 * k);
    return m;
}

static int reduce_sample(int64_t v, const FvReduction *r, int m)
{
    const int shift = r->depth - r->shallow;
    const int64_t from = ((int64_t)1 << r->depth) - 1, to = ((int64_t)1 << r->shallow) - 1;
    if (r->full)
        return (int)(r->dither ? fv_floor_div(128 * v * to + (2 * m + 1) * from, 128 * from)
                               : fv_floor_div(2 * v * to + from, 2 * from));
    const int64_t add = r->dither ? ((int64_t)(2 * m + 1) << shift) >> 7 : (int64_t)1 << (shift - 1);
    return clip((v + add) >> shift, r->shallow);
}

void fv_prepare_reduce(uint8_t *out, const uint16_t *row, int count, int x, int y, const FvReduction *reduction)
{
    for (int i = 0; i < count; i++) {
        int sample = reduce_sample(row[i], reduction, reduction->dither ? threshold((x + i) & 7, y & 7) : 0);
        if (reduction->shallow == 8)
            out[i] = (uint8_t)sample;
        else
            ((uint16_t *)out)[i] = (uint16_t)sample;
    }
}

/*
 * Factors of Cb and Cr in luma, Cb and Cr, in units of 1/16384, from the constants of BT.601 and BT.709, rounded half
 * up.
 */
static const int matrices[2][2][6] = {
    {{-1893, -3407, 16689, 1878, 1230, 16799}, {-1936, -3485, 16689, 1878, 1230, 16799}},
    {{1627, 3141, 16218, -1813, -1187, 16112}, {1664, 3213, 16218, -1813, -1187, 16112}},
};

void fv_prepare_matrix_luma(uint16_t *luma, const uint16_t *cb, const uint16_t *cr, int count, FvMatrixStep step,
                            bool full, int depth)
{
    const int *m = matrices[step - FV_MATRIX_601_TO_709][full], half = 1 << (depth - 1);
    for (int i = 0; i < count; i++)
        luma[i] = (uint16_t)clip(
            luma[i] + fv_floor_div((int64_t)m[0] * (cb[i] - half) + (int64_t)m[1] * (cr[i] - half) + 8192, 16384),
            depth);
}

void fv_prepare_matrix_chroma(uint16_t *cb, uint16_t *cr, int count, FvMatrixStep step, bool full, int depth)
{
    const int *m = matrices[step - FV_MATRIX_601_TO_709][full], half = 1 << (depth - 1);
    for (int i = 0; i < count; i++) {
        const int64_t u = cb[i] - half, v = cr[i] - half;
        cb[i] = (uint16_t)clip(half + fv_floor_div(m[2] * u + m[3] * v + 8192, 16384), depth);
        cr[i] = (uint16_t)clip(half + fv_floor_div(m[4] * u + m[5] * v + 8192, 16384), depth);
    }
}
