/*
 * Butteraugli for one instruction set: computes a tile of a level in one walk downwards. Each step advances all
 * filters by eight rows. Every filter runs ahead of the next one by the rows that the next one reads below its own
 * row, and ring buffers keep these rows.
 */
#include "cpu/butteraugli.h"

#include "cpu/butteraugli_opsin-inl.h"
#include "cpu/butteraugli_result-inl.h"
#include "cpu/butteraugli_walk-inl.h"

/* ---- Stages: rows [y0, y1) ------------------------------------------------------------------------------------ */

/* Computes opsin, and its rows blurred for the low band. */
static void opsin_stage(Walk *w, int y0, int y1)
{
    Scratch *scratch = w->scratch;
    for (; w->light < y1 + FV_BUTTER_SOFT_REACH && w->light < w->tile->height; w->light++)
        for (int p = 0; p < 2; p++)
            take_light(w, p, w->light);
    for (int y = y0; y < y1; y++)
        for (int p = 0; p < 2; p++) {
            bool inside = in_picture(w, y);
            if (inside)
                opsin_row(w, p, y);
            for (int c = 0; c < 3; c++) {
                float *opsin = RING(scratch->opsin[p][c], y), *blurred = RING(scratch->low[p][c], y);
                if (!inside) {
                    fill_row(blurred, 0);
                    continue;
                }
                fill_beside(w, opsin, 0);
                blur_row(w, opsin, fv_butter_low, FV_BUTTER_LOW_REACH, FV_BUTTER_LOW, AHEAD_LOW, blurred);
            }
        }
}

FV_FN void low_differences(Walk *w, int k, float *sum)
{
    Row(*group)[3][GROUP] = w->scratch->group;
    EACH_VECTOR(w, 0)
    {
        fv_f32 x[2], y[2], b[2];
        for (int p = 0; p < 2; p++) {
            x[p] = FV_LOAD(fv_f32, group[p][0][k] + i);
            y[p] = FV_LOAD(fv_f32, group[p][1][k] + i);
            b[p] = FV_LOAD(fv_f32, group[p][2][k] + i);
        }
        fv_f32 of_x = fv_butter_square(FV_BUTTER_LOW_X(x[0]), FV_BUTTER_LOW_X(x[1]), FV_BUTTER_LOW_WEIGHT_X);
        fv_f32 of_y = fv_butter_square(FV_BUTTER_LOW_Y(y[0]), FV_BUTTER_LOW_Y(y[1]), FV_BUTTER_LOW_WEIGHT_Y);
        fv_f32 of_b =
            fv_butter_square(FV_BUTTER_LOW_B(y[0], b[0]), FV_BUTTER_LOW_B(y[1], b[1]), FV_BUTTER_LOW_WEIGHT_B);
        FV_STORE(sum + i, (of_x + of_y) + of_b);
    }
}

static void low_stage(Walk *w, int y0, int y1)
{
    Scratch *scratch = w->scratch;
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 3; c++) {
            blur_columns(w, scratch->low[p][c], LOW_ROWS, fv_butter_low, FV_BUTTER_LOW_REACH, FV_BUTTER_LOW,
                         AHEAD_LOW, y0, y1, scratch->group[p][c]);
            for (int y = y0; y < y1; y++) {
                const float *opsin = RING(scratch->opsin[p][c], y), *low = scratch->group[p][c][y - y0];
                float *rest = RING(scratch->rest[p][c], y);
                EACH_VECTOR(w, AHEAD_LOW)
                FV_STORE(rest + i, FV_LOAD(fv_f32, opsin + i) - FV_LOAD(fv_f32, low + i));
                fill_beside(w, rest, 0);
                blur_row(w, rest, fv_butter_middle, FV_BUTTER_MIDDLE_REACH, FV_BUTTER_MIDDLE, AHEAD_MIDDLE,
                         RING(scratch->middle[p][c], y));
            }
        }
    for (int y = y0; y < y1; y++)
        low_differences(w, y - y0, RING(scratch->low_sum, y));
}

/* Subtracts the middle band from the rest of a row; the remainder goes to `all_high`. */
FV_FN void part_middle(Walk *w, int p, int y, float *middle_x, float *middle_y)
{
    Scratch *scratch = w->scratch;
    const float *rest[2] = {RING(scratch->rest[p][0], y), RING(scratch->rest[p][1], y)};
    float *all[2] = {RING(scratch->all_high[p][0], y), RING(scratch->all_high[p][1], y)};
    EACH_VECTOR(w, AHEAD_MIDDLE)
    {
        fv_f32 x = FV_LOAD(fv_f32, middle_x + i), v = FV_LOAD(fv_f32, middle_y + i);
        fv_f32 high = FV_LOAD(fv_f32, rest[1] + i) - v;
        FV_STORE(all[1] + i, high);
        FV_STORE(all[0] + i, fv_butter_suppressed(FV_LOAD(fv_f32, rest[0] + i) - x, high));
        FV_STORE(middle_x + i, FV_BUTTER_MIDDLE_X(x));
        FV_STORE(middle_y + i, FV_BUTTER_MIDDLE_Y(v));
    }
    for (int c = 0; c < 2; c++) {
        fill_beside(w, all[c], 0);
        blur_row(w, all[c], fv_butter_high, FV_BUTTER_HIGH_REACH, FV_BUTTER_HIGH, AHEAD_HIGH,
                 RING(scratch->high[p][c], y));
    }
}

static void middle_stage(Walk *w, int y0, int y1)
{
    Scratch *scratch = w->scratch;
    Row(*group)[3][GROUP] = scratch->group;
    for (int p = 0; p < 2; p++) {
        for (int c = 0; c < 3; c++)
            blur_columns(w, scratch->middle[p][c], MIDDLE_ROWS, fv_butter_middle, FV_BUTTER_MIDDLE_REACH,
                         FV_BUTTER_MIDDLE, AHEAD_MIDDLE, y0, y1, group[p][c]);
        for (int y = y0; y < y1; y++)
            part_middle(w, p, y, group[p][0][y - y0], group[p][1][y - y0]);
    }
    for (int y = y0; y < y1; y++) {
        int k = y - y0;
        float *x = RING(scratch->lack[MIDDLE_X], y), *v = RING(scratch->lack[MIDDLE_Y], y), *square[3];
        for (int c = 0; c < 3; c++)
            square[c] = RING(scratch->middle_square[c], y);
        EACH_VECTOR(w, AHEAD_MIDDLE)
        {
            fv_f32 a[3], b[3];
            for (int c = 0; c < 3; c++) {
                a[c] = FV_LOAD(fv_f32, group[0][c][k] + i);
                b[c] = FV_LOAD(fv_f32, group[1][c][k] + i);
            }
            FV_STORE(x + i, FV_BUTTER_LACK_MIDDLE_X(a[0], b[0]));
            FV_STORE(v + i, FV_BUTTER_LACK_MIDDLE_Y(a[1], b[1]));
            FV_STORE(square[0] + i, fv_butter_square(a[0], b[0], FV_BUTTER_MIDDLE_WEIGHT_X));
            FV_STORE(square[1] + i, fv_butter_square(a[1], b[1], FV_BUTTER_MIDDLE_WEIGHT_Y));
            FV_STORE(square[2] + i, fv_butter_square(a[2], b[2], FV_BUTTER_MIDDLE_WEIGHT_B));
        }
        fill_beside(w, x, 0);
        fill_beside(w, v, 0);
    }
}

/* The two highest bands of a row, in X and Y. */
typedef struct High {
    fv_f32 high[2], highest[2];
} High;

FV_FN High high_bands(const float *const all[2], const float *const blurred[2], int i)
{
    High bands;
    fv_f32 x = FV_LOAD(fv_f32, blurred[0] + i), y = FV_BUTTER_SOFT_Y(FV_LOAD(fv_f32, blurred[1] + i));
    bands.high[0] = FV_BUTTER_HIGH_X(x);
    bands.high[1] = FV_BUTTER_HIGH_Y(y);
    bands.highest[0] = FV_BUTTER_HIGHEST_X(FV_LOAD(fv_f32, all[0] + i), x);
    bands.highest[1] = FV_BUTTER_HIGHEST_Y(FV_LOAD(fv_f32, all[1] + i), y);
    return bands;
}

FV_FN void high_row(Walk *w, int y, int k)
{
    Scratch *scratch = w->scratch;
    const float *all[2][2], *blurred[2][2];
    float *lack[LACKS], *square[2], *outside[2];
    for (int n = 0; n < 4; n++) {
        all[n / 2][n % 2] = RING(scratch->all_high[n / 2][n % 2], y);
        blurred[n / 2][n % 2] = scratch->group[n / 2][n % 2][k];
        lack[HIGH_X + n] = RING(scratch->lack[HIGH_X + n], y);
    }
    for (int c = 0; c < 2; c++) {
        square[c] = RING(scratch->high_square[c], y);
        outside[c] = RING(scratch->outside[c], y);
    }
    EACH_VECTOR(w, AHEAD_HIGH)
    {
        High a = high_bands(all[0], blurred[0], i), b = high_bands(all[1], blurred[1], i);
        FV_STORE(lack[HIGH_X] + i, FV_BUTTER_LACK_HIGH_X(a.high[0], b.high[0]));
        FV_STORE(lack[HIGH_Y] + i, FV_BUTTER_LACK_HIGH_Y(a.high[1], b.high[1]));
        FV_STORE(lack[HIGHEST_X] + i, FV_BUTTER_LACK_HIGHEST_X(a.highest[0], b.highest[0]));
        FV_STORE(lack[HIGHEST_Y] + i, FV_BUTTER_LACK_HIGHEST_Y(a.highest[1], b.highest[1]));
        FV_STORE(square[0] + i, fv_butter_square(a.high[0], b.high[0], FV_BUTTER_HIGH_WEIGHT_X));
        FV_STORE(square[1] + i, fv_butter_square(a.high[1], b.high[1], FV_BUTTER_HIGH_WEIGHT_Y));
        FV_STORE(outside[0] + i, fv_butter_outside(a.high[0], b.high[0], FV_BUTTER_HIGH_WEIGHT_X));
        FV_STORE(outside[1] + i, fv_butter_outside(a.high[1], b.high[1], FV_BUTTER_HIGH_WEIGHT_Y));
        /* The activity overwrites the blurred rows, which no later step reads. */
        FV_STORE(scratch->group[0][0][k] + i, fv_butter_activity(a.highest[0], a.high[0], a.highest[1], a.high[1]));
        FV_STORE(scratch->group[1][0][k] + i, fv_butter_activity(b.highest[0], b.high[0], b.highest[1], b.high[1]));
    }
    for (int n = HIGH_X; n <= HIGHEST_Y; n++)
        fill_beside(w, lack[n], 0);
    for (int p = 0; p < 2; p++) {
        fill_beside(w, scratch->group[p][0][k], 0);
        blur_row(w, scratch->group[p][0][k], fv_butter_mask, FV_BUTTER_MASK_REACH, FV_BUTTER_MASK, AHEAD_MASK,
                 RING(scratch->mask[p], y));
    }
}

static void high_stage(Walk *w, int y0, int y1)
{
    Scratch *scratch = w->scratch;
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 2; c++)
            blur_columns(w, scratch->high[p][c], HIGH_ROWS, fv_butter_high, FV_BUTTER_HIGH_REACH, FV_BUTTER_HIGH,
                         AHEAD_HIGH, y0, y1, scratch->group[p][c]);
    for (int y = y0; y < y1; y++)
        high_row(w, y, y - y0);
}

static void mask_stage(Walk *w, int y0, int y1)
{
    Scratch *scratch = w->scratch;
    for (int p = 0; p < 2; p++)
        blur_columns(w, scratch->mask[p], MASK_ROWS, fv_butter_mask, FV_BUTTER_MASK_REACH, FV_BUTTER_MASK, AHEAD_MASK,
                     y0, y1, scratch->group[p][0]);
    for (int y = y0; y < y1; y++) {
        const float *ref = scratch->group[0][0][y - y0], *dis = scratch->group[1][0][y - y0];
        float *activity = RING(scratch->activity, y), *change = RING(scratch->change, y);
        EACH_VECTOR(w, AHEAD_MASK)
        {
            fv_f32 a = FV_LOAD(fv_f32, ref + i), e = a - FV_LOAD(fv_f32, dis + i);
            FV_STORE(activity + i, a);
            FV_STORE(change + i, (10.0f * e) * e);
        }
        fill_beside(w, activity, FV_BUTTER_NO_ACTIVITY);
    }
}

/* Fills the results of a stage for row y, which is above or below the frame. */
static void outside_stage(Walk *w, int ahead, int y)
{
    Scratch *scratch = w->scratch;
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 3; c++) {
            if (ahead == AHEAD_LOW)
                fill_row(RING(scratch->middle[p][c], y), 0);
            if (ahead == AHEAD_MIDDLE && c < 2)
                fill_row(RING(scratch->high[p][c], y), 0);
        }
    for (int n = 0; n < LACKS; n++)
        if (ahead == (n <= MIDDLE_Y ? AHEAD_MIDDLE : AHEAD_HIGH))
            fill_row(RING(scratch->lack[n], y), 0);
    if (ahead == AHEAD_HIGH) {
        fill_row(RING(scratch->mask[0], y), 0);
        fill_row(RING(scratch->mask[1], y), 0);
    }
    if (ahead == AHEAD_MASK)
        fill_row(RING(scratch->activity, y), FV_BUTTER_NO_ACTIVITY);
}

/* ---- The walk ------------------------------------------------------------------------------------------------- */

/* Runs a stage in the step whose results start at row y. */
static void run_stage(Walk *w, int ahead, int y, void (*stage)(Walk *, int, int))
{
    const FvButterTile *tile = w->tile;
    int y0 = y + ahead, y1 = y0 + GROUP;
    y0 = y0 > tile->y0 - ahead ? y0 : tile->y0 - ahead;
    y1 = y1 < tile->y1 + ahead ? y1 : tile->y1 + ahead;
    for (; y0 < y1 && y0 < 0; y0++)
        outside_stage(w, ahead, y0);
    int end = y1 < tile->height ? y1 : tile->height;
    if (y0 < end)
        stage(w, y0, end);
    for (int row = y0 > end ? y0 : end; row < y1; row++)
        outside_stage(w, ahead, row);
}

static void do_tile(const FvButterTile *tile, Source source, FvButterSums *sums, void *scratch)
{
    Walk w = {.tile = tile, .source = source, .width = tile->x1 - tile->x0, .scratch = scratch};
    memset(scratch, 0, sizeof(Scratch)); /* vectors read past what is computed, and should not find NaN there */
    w.light = tile->y0 > AHEAD_LIGHT ? tile->y0 - AHEAD_LIGHT : 0;
    int before = (2 * AHEAD_OPSIN + GROUP - 1) / GROUP * GROUP;
    for (int y = tile->y0 - before; y < tile->y1; y += GROUP) {
        int y0 = y + AHEAD_OPSIN > tile->y0 - AHEAD_OPSIN ? y + AHEAD_OPSIN : tile->y0 - AHEAD_OPSIN;
        int y1 = y + AHEAD_OPSIN + GROUP < tile->y1 + AHEAD_OPSIN ? y + AHEAD_OPSIN + GROUP : tile->y1 + AHEAD_OPSIN;
        opsin_stage(&w, y0, y1);
        run_stage(&w, AHEAD_LOW, y, low_stage);
        run_stage(&w, AHEAD_MIDDLE, y, middle_stage);
        run_stage(&w, AHEAD_HIGH, y, high_stage);
        run_stage(&w, AHEAD_MASK, y, mask_stage);
        if (y >= tile->y0)
            result_stage(&w, y, y + GROUP < tile->y1 ? y + GROUP : tile->y1, sums);
    }
}

static void tile8(const FvButterTile *tile, FvButterSums *sums, void *scratch)
{
    do_tile(tile, BYTES, sums, scratch);
}

static void tile16(const FvButterTile *tile, FvButterSums *sums, void *scratch)
{
    do_tile(tile, WORDS, sums, scratch);
}

const FvButterKernels FV_ISA_STRUCT(fv_butter_kernels) = {
    .tile8 = tile8, .tile16 = tile16, .scratch_bytes = sizeof(Scratch)};
