/* A walk down a tile of a level of Butteraugli, for one instruction set: the ring buffers of rows, and the blurs. */
#pragma once

#include "cpu/simd.h"
#include "cpu/butteraugli.h"

#include "arith/butteraugli.h"

#define GROUP FV_BUTTER_GROUP
/*
 * The number of rows by which each stage runs ahead of the result. A stage also computes this number of columns on
 * each side of the tile.
 */
#define AHEAD_MASK FV_BUTTER_EROSION_REACH
#define AHEAD_HIGH (AHEAD_MASK + FV_BUTTER_MASK_REACH)
#define AHEAD_MIDDLE (AHEAD_HIGH + FV_BUTTER_HIGH_REACH)
#define AHEAD_LOW (AHEAD_MIDDLE + FV_BUTTER_MIDDLE_REACH)
#define AHEAD_OPSIN (AHEAD_LOW + FV_BUTTER_LOW_REACH)
#define AHEAD_LIGHT (AHEAD_OPSIN + FV_BUTTER_SOFT_REACH)

#define FIRST 64 /* index of the tile's first column in a row */
/* Floats of a row, with room for vectors that run past the end. */
#define WIDE (FIRST + FV_BUTTER_TILE_WIDTH + FIRST + FV_LANES)

/* Number of rows that each ring holds: the rows that a blur reads, or that wait for the stage that reads them. */
#define LIGHT_ROWS (GROUP + 2 * FV_BUTTER_SOFT_REACH)
#define LOW_ROWS (GROUP + 2 * FV_BUTTER_LOW_REACH)
#define MIDDLE_ROWS (GROUP + 2 * FV_BUTTER_MIDDLE_REACH)
#define HIGH_ROWS (GROUP + 2 * FV_BUTTER_HIGH_REACH)
#define MASK_ROWS (GROUP + 2 * FV_BUTTER_MASK_REACH)
#define LACK_ROWS (AHEAD_MIDDLE + GROUP + FV_BUTTER_LINE_REACH)

typedef float Row[WIDE];

typedef enum Lack { MIDDLE_X, MIDDLE_Y, HIGH_X, HIGH_Y, HIGHEST_X, HIGHEST_Y, LACKS } Lack;

typedef struct Scratch {
    float full[2][3][2 * WIDE]; /* two rows of the frame's light, from which one row of the level is made */
    Row light[2][3][LIGHT_ROWS], soft[2][3][LIGHT_ROWS];
    Row opsin[2][3][AHEAD_OPSIN - AHEAD_LOW + GROUP];
    Row low[2][3][LOW_ROWS], middle[2][3][MIDDLE_ROWS], high[2][2][HIGH_ROWS], mask[2][MASK_ROWS]; /* blurred rows */
    Row rest[2][3][AHEAD_LOW - AHEAD_MIDDLE + GROUP], all_high[2][2][AHEAD_MIDDLE - AHEAD_HIGH + GROUP];
    Row group[2][3][GROUP]; /* rows of a step, blurred down the columns as well */
    Row lack[LACKS][LACK_ROWS];
    Row low_sum[AHEAD_LOW + GROUP], middle_square[3][AHEAD_MIDDLE + GROUP];
    Row high_square[2][AHEAD_HIGH + GROUP], outside[2][AHEAD_HIGH + GROUP];
    Row activity[2 * FV_BUTTER_EROSION_REACH + GROUP], change[AHEAD_MASK + GROUP];
    Row one, distance[GROUP];
} Scratch;

typedef enum Source { BYTES, WORDS } Source;

typedef struct Walk {
    const FvButterTile *tile;
    Source source;
    int width; /* width of the tile in samples */
    int light; /* rows of light up to this one are complete */
    Scratch *scratch;
} Walk;

/* Row y of a ring; y may be negative. */
#define RING(ring, y)                                                                                                \
    ((ring)[((y) + 16 * (int)(sizeof(ring) / sizeof *(ring))) % (int)(sizeof(ring) / sizeof *(ring))])

/* Loops over the vectors of the columns that a stage computes. */
#define EACH_VECTOR(w, ahead)                                                                                        \
    for (int i = (FIRST - (ahead)) / FV_LANES * FV_LANES; i < FIRST + (w)->width + (ahead); i += FV_LANES)

/* Sets the columns outside the frame to `value`. */
static void fill_beside(const Walk *w, float *row, float value)
{
    if (w->tile->x0 == 0)
        for (int i = 0; i < FIRST; i++)
            row[i] = value;
    for (int i = FIRST + w->tile->width - w->tile->x0; i < WIDE; i++)
        row[i] = value;
}

static void fill_row(float *row, float value)
{
    for (int i = 0; i < WIDE; i++)
        row[i] = value;
}

static bool in_picture(const Walk *w, int y)
{
    return y >= 0 && y < w->tile->height;
}

/* Blurs a row along its columns, for the columns that the stage `ahead` rows ahead computes. */
FV_FN void blur_row(const Walk *w, const float *from, const float *taps, int reach, FvButterBlur blur, int ahead,
                    float *to)
{
    const float *gain = w->tile->gain_x[blur] + w->tile->x0 - FIRST;
    int begin = w->tile->x0 == 0 ? FIRST / FV_LANES * FV_LANES : 0, end = w->tile->width - w->tile->x0 + FIRST;
    EACH_VECTOR(w, ahead)
    {
        fv_f32 s = taps[0] * FV_LOAD(fv_f32, from + i);
        FV_UNROLL
        for (int k = 1; k <= reach; k++)
            s = s + taps[k] * (FV_LOAD(fv_f32, from + i - k) + FV_LOAD(fv_f32, from + i + k));
        if (i >= begin && i < end)
            s = s * FV_LOAD(fv_f32, gain + i);
        FV_STORE(to + i, s);
    }
}

/*
 * Blurs rows [y0, y1), all inside the frame, down their columns. The ring holds rows that are blurred along the row.
 */
FV_FN void blur_columns(const Walk *w, const Row *ring, int size, const float *taps, int reach, FvButterBlur blur,
                        int ahead, int y0, int y1, Row *to)
{
    const float *row[GROUP + 2 * FV_BUTTER_LOW_REACH];
    for (int k = 0; k < y1 - y0 + 2 * reach; k++)
        row[k] = ring[(y0 - reach + k + 16 * size) % size];
    for (int i = (FIRST - ahead) / FV_LANES * FV_LANES; i < FIRST + w->width + ahead; i += 2 * FV_LANES)
        for (int y = y0; y < y1; y++) {
            const float *const *middle = row + reach + y - y0;
            fv_f32 s = taps[0] * FV_LOAD(fv_f32, middle[0] + i);
            fv_f32 t = taps[0] * FV_LOAD(fv_f32, middle[0] + i + FV_LANES);
            FV_UNROLL
            for (int k = 1; k <= reach; k++) {
                const float *above = middle[-k] + i, *below = middle[k] + i;
                s = s + taps[k] * (FV_LOAD(fv_f32, above) + FV_LOAD(fv_f32, below));
                t = t + taps[k] * (FV_LOAD(fv_f32, above + FV_LANES) + FV_LOAD(fv_f32, below + FV_LANES));
            }
            float gain = w->tile->gain_y[blur][y];
            FV_STORE(to[y - y0] + i, s * gain);
            FV_STORE(to[y - y0] + i + FV_LANES, t * gain);
        }
}
