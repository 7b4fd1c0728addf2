/* Computes distances, and the sums of their powers, from the frequency bands of a walk, for one instruction set. */
#pragma once

#include "cpu/butteraugli_walk-inl.h"

#define PAIR(dx, dy) (FV_LOAD(fv_f32, row[dy] + i + (dx)) + FV_LOAD(fv_f32, row[-(dy)] + i - (dx)))

FV_FN void add_lines(const Walk *w, Row *ring, int y, bool fine, bool first, float *sum)
{
    const float *rows[2 * FV_BUTTER_LINE_REACH + 1];
    for (int k = 0; k <= 2 * FV_BUTTER_LINE_REACH; k++)
        rows[k] = ring[(y + k - FV_BUTTER_LINE_REACH + 16 * LACK_ROWS) % LACK_ROWS];
    const float *const *row = rows + FV_BUTTER_LINE_REACH;
    EACH_VECTOR(w, 0)
    {
        fv_f32 middle = FV_LOAD(fv_f32, row[0] + i);
        fv_f32 lines = fine ? FV_BUTTER_FINE(middle, PAIR) : FV_BUTTER_COARSE(middle, PAIR);
        FV_STORE(sum + i, first ? lines : FV_LOAD(fv_f32, sum + i) + lines);
    }
}

static void fine_lines(const Walk *w, Row *ring, int y, float *sum)
{
    add_lines(w, ring, y, true, true, sum);
}

static void coarse_lines(const Walk *w, Row *ring, int y, float *sum)
{
    add_lines(w, ring, y, false, false, sum);
}

FV_FN fv_f32 eroded(const float *const row[3], int i)
{
    FvButterLeast least = fv_butter_least(FV_LOAD(fv_f32, row[1] + i));
    for (int k = 0; k < 3; k++) {
        least = fv_butter_with(least, FV_LOAD(fv_f32, row[k] + i - FV_BUTTER_EROSION_REACH));
        if (k != 1)
            least = fv_butter_with(least, FV_LOAD(fv_f32, row[k] + i));
        least = fv_butter_with(least, FV_LOAD(fv_f32, row[k] + i + FV_BUTTER_EROSION_REACH));
    }
    return FV_BUTTER_EROSION(least);
}

static void distance_row(Walk *w, int y, float *distance)
{
    const FvButterTile *tile = w->tile;
    Scratch *scratch = w->scratch;
    float *sum_x = scratch->group[0][0][0], *sum_y = scratch->group[0][1][0], *half = scratch->one;
    fine_lines(w, scratch->lack[HIGHEST_Y], y, sum_y);
    fine_lines(w, scratch->lack[HIGHEST_X], y, sum_x);
    coarse_lines(w, scratch->lack[HIGH_Y], y, sum_y);
    coarse_lines(w, scratch->lack[HIGH_X], y, sum_x);
    coarse_lines(w, scratch->lack[MIDDLE_Y], y, sum_y);
    coarse_lines(w, scratch->lack[MIDDLE_X], y, sum_x);
    if (tile->half) {
        const float *from = tile->half + (y >> 1) * tile->half_stride + (tile->x0 >> 1);
        for (int x = 0; x < w->width; x++)
            half[FIRST + x] = from[x >> 1];
    }
    const float *low = RING(scratch->low_sum, y), *change = RING(scratch->change, y);
    const float *middle[3], *high[2], *outside[2], *activity[3];
    for (int c = 0; c < 3; c++) {
        middle[c] = RING(scratch->middle_square[c], y);
        activity[c] = RING(scratch->activity, y + (c - 1) * FV_BUTTER_EROSION_REACH);
    }
    for (int c = 0; c < 2; c++) {
        high[c] = RING(scratch->high_square[c], y);
        outside[c] = RING(scratch->outside[c], y);
    }
    EACH_VECTOR(w, 0)
    {
        fv_f32 x = FV_LOAD(fv_f32, sum_x + i), v = FV_LOAD(fv_f32, sum_y + i);
        x = ((x + FV_LOAD(fv_f32, high[0] + i)) + FV_LOAD(fv_f32, outside[0] + i)) + FV_LOAD(fv_f32, middle[0] + i);
        v = ((v + FV_LOAD(fv_f32, high[1] + i)) + FV_LOAD(fv_f32, outside[1] + i)) + FV_LOAD(fv_f32, middle[1] + i);
        v = v + FV_LOAD(fv_f32, change + i);
        fv_f32 d = fv_butter_distance(FV_LOAD(fv_f32, low + i), (x + v) + FV_LOAD(fv_f32, middle[2] + i),
                                      eroded(activity, i));
        if (tile->half)
            d = FV_BUTTER_BOTH(d, FV_LOAD(fv_f32, half + i));
        FV_STORE(distance + i, d);
    }
}

/* Adds the powers of rows [k0, k1) and columns [i0, i1) of a group to the sums. */
FV_FN void add_group(const Walk *w, int k0, int k1, int i0, int i1, FvButterSums *sums)
{
    Row *distance = w->scratch->distance;
    fv_f32 most = fv_splat_f32(0.0f);
    for (int i = i0; i < i1; i += FV_LANES) {
        fv_f32 s[FV_BUTTER_NORMS];
        s[0] = s[1] = s[2] = s[3] = fv_splat_f32(0.0f);
        fv_mask inside = fv_lane_index() < i1 - i;
        for (int k = k0; k < k1; k++) {
            fv_f32 d = fv_sel_f32(inside, FV_LOAD(fv_f32, distance[k] + i), fv_splat_f32(0.0f));
            FvButterPowers powers = fv_butter_powers(d);
            s[0] = s[0] + powers.third;
            s[1] = s[1] + powers.sixth;
            s[2] = s[2] + powers.twelfth;
            s[3] = s[3] + powers.fifth;
            most = fv_max_f32(most, d);
        }
        for (int n = 0; n < FV_BUTTER_NORMS; n++) {
            fv_u32 bits = fv_bits(s[n]);
            for (int lane = 0; lane < FV_LANES; lane++)
                fv_butter_add(sums->digit[n], bits[lane], 1);
        }
    }
    for (int lane = 0; lane < FV_LANES; lane++)
        sums->most = most[lane] > sums->most ? most[lane] : sums->most;
}

/*
 * Computes the distances of rows [y0, y1) of the level. Only samples of the unextended frame enter the sums and the
 * map.
 */
static void result_stage(Walk *w, int y0, int y1, FvButterSums *sums)
{
    const FvButterTile *tile = w->tile;
    int above = tile->above, left = tile->left, width = tile->width, height = tile->height;
    if (tile->level == 0) {
        width = tile->light->width;
        height = tile->light->height;
    }
    int first = y0 > above ? y0 : above, end = y1 < above + height ? y1 : above + height;
    int x0 = tile->x0 > left ? tile->x0 : left, x1 = tile->x1 < left + width ? tile->x1 : left + width;
    int i0 = FIRST + x0 - tile->x0, i1 = FIRST + x1 - tile->x0;
    for (int y = first; y < end; y++) {
        float *row = w->scratch->distance[y - y0];
        distance_row(w, y, row);
        if (tile->map)
            memcpy(tile->map + (y - above) * tile->map_stride + x0 - left, row + i0, (size_t)(x1 - x0) * sizeof *row);
    }
    if (tile->level == 0 && first < end)
        add_group(w, first - y0, end - y0, i0, i1, sums);
}
