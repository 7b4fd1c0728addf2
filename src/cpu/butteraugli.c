/*
 * Butteraugli for one instruction set: a tile of a level in one walk downwards. Each step takes all filters eight
 * rows farther; every filter runs as many rows ahead as those behind it look, and rings keep what they look at.
 */
#include "cpu/butteraugli.h"

#include "cpu/simd.h"

#include "arith/butteraugli.h"

#define GROUP FV_BUTTER_GROUP
/* How far ahead of the result each stage is, which is also how far beside the tile it works. */
#define AHEAD_MASK FV_BUTTER_EROSION_REACH
#define AHEAD_HIGH (AHEAD_MASK + FV_BUTTER_MASK_REACH)
#define AHEAD_MIDDLE (AHEAD_HIGH + FV_BUTTER_HIGH_REACH)
#define AHEAD_LOW (AHEAD_MIDDLE + FV_BUTTER_MIDDLE_REACH)
#define AHEAD_OPSIN (AHEAD_LOW + FV_BUTTER_LOW_REACH)
#define AHEAD_LIGHT (AHEAD_OPSIN + FV_BUTTER_SOFT_REACH)

#define FIRST 64                                               /* where a row has the tile's first column */
#define WIDE (FIRST + FV_BUTTER_TILE_WIDTH + FIRST + FV_LANES) /* a row that vectors may run past */

/* Rows that rings keep: what a blur looks at, or what waits until the stage that wants it. */
#define LIGHT_ROWS (GROUP + 2 * FV_BUTTER_SOFT_REACH)
#define LOW_ROWS (GROUP + 2 * FV_BUTTER_LOW_REACH)
#define MIDDLE_ROWS (GROUP + 2 * FV_BUTTER_MIDDLE_REACH)
#define HIGH_ROWS (GROUP + 2 * FV_BUTTER_HIGH_REACH)
#define MASK_ROWS (GROUP + 2 * FV_BUTTER_MASK_REACH)
#define LACK_ROWS (AHEAD_MIDDLE + GROUP + FV_BUTTER_LINE_REACH)

typedef float Row[WIDE];

typedef enum Lack { MIDDLE_X, MIDDLE_Y, HIGH_X, HIGH_Y, HIGHEST_X, HIGHEST_Y, LACKS } Lack;

typedef struct Scratch {
    float full[2][3][2 * WIDE]; /* two rows of the picture's light, of which a row of the level is made */
    Row light[2][3][LIGHT_ROWS], soft[2][3][LIGHT_ROWS];
    Row opsin[2][3][AHEAD_OPSIN - AHEAD_LOW + GROUP];
    Row low[2][3][LOW_ROWS], middle[2][3][MIDDLE_ROWS], high[2][2][HIGH_ROWS], mask[2][MASK_ROWS]; /* blurred rows */
    Row rest[2][3][AHEAD_LOW - AHEAD_MIDDLE + GROUP], all_high[2][2][AHEAD_MIDDLE - AHEAD_HIGH + GROUP];
    Row group[2][3][GROUP]; /* blurred columns */
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
    int width; /* of the tile */
    int light; /* rows up to here have light */
    Scratch *scratch;
} Walk;

/* ---- Rows ----------------------------------------------------------------------------------------------------- */

/* The row y of a ring; y may be negative. */
#define RING(ring, y)                                                                                                \
    ((ring)[((y) + 16 * (int)(sizeof(ring) / sizeof *(ring))) % (int)(sizeof(ring) / sizeof *(ring))])

/* Every vector of the columns that a stage makes. */
#define EACH_VECTOR(w, ahead)                                                                                        \
    for (int i = (FIRST - (ahead)) / FV_LANES * FV_LANES; i < FIRST + (w)->width + (ahead); i += FV_LANES)

/* What is beside the picture counts as `value`. */
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

/* A row of a blur, for the columns that the stage `ahead` makes. */
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

/* Columns of rows [y0, y1), all in the picture, of a ring of blurred rows. */
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

/* ---- Light and opsin ------------------------------------------------------------------------------------------ */

static void picture_light(const Walk *w, int p, int x0, int x1, int y, float *const out[3])
{
    const FvButterTile *tile = w->tile;
    (w->source == BYTES ? FV_ISA_STRUCT(fv_light_kernels).row8 : FV_ISA_STRUCT(fv_light_kernels).row16)(
        tile->light, tile->sample[p], tile->sample_stride[p], x0, x1, y, out);
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* Columns [x0, x1) of row y of a picture that is narrower than its level. */
static void extended_light(Walk *w, int p, int x0, int x1, int y, float *const out[3])
{
    const FvLight *light = w->tile->light;
    float(*full)[2 * WIDE] = w->scratch->full[0];
    picture_light(w, p, 0, light->width, y, (float *const[3]){full[0], full[1], full[2]});
    for (int c = 0; c < 3; c++)
        for (int x = x0; x < x1; x++)
            out[c][x - x0] = full[c][clamp(x - w->tile->left, light->width - 1)];
}

/* Columns [x0, x1) of row y of the half level. */
static void half_light(Walk *w, int p, int x0, int x1, int y, float *const out[3])
{
    const FvLight *light = w->tile->light;
    int end = 2 * x1 < light->width ? 2 * x1 : light->width, pairs = end / 2 - x0;
    for (int k = 0; k < 2; k++) {
        float(*full)[2 * WIDE] = w->scratch->full[k];
        picture_light(w, p, 2 * x0, end, clamp(2 * y + k, light->height - 1),
                      (float *const[3]){full[0], full[1], full[2]});
    }
    for (int c = 0; c < 3; c++) {
        const float *a = w->scratch->full[0][c], *b = w->scratch->full[1][c];
        for (int x = 0; x < pairs; x++)
            out[c][x] = FV_LIGHT_HALF(a[2 * x], a[2 * x + 1], b[2 * x], b[2 * x + 1]);
        if (pairs < x1 - x0)
            out[c][pairs] = FV_LIGHT_HALF(a[2 * pairs], a[2 * pairs], b[2 * pairs], b[2 * pairs]);
    }
}

/* Beside the picture lies its mirror image. */
static void mirror_row(const Walk *w, float *row)
{
    int end = FIRST + w->tile->width - w->tile->x0;
    for (int k = 0; k < FV_BUTTER_SOFT_REACH; k++) {
        if (w->tile->x0 == 0)
            row[FIRST - 1 - k] = row[FIRST + k];
        if (end < WIDE - FV_BUTTER_SOFT_REACH)
            row[end + k] = row[end - 1 - k];
    }
}

static void take_light(Walk *w, int p, int y)
{
    const FvButterTile *tile = w->tile;
    Scratch *scratch = w->scratch;
    int x0 = tile->x0 - AHEAD_LIGHT - 1, x1 = tile->x1 + AHEAD_LIGHT; /* even */
    x0 = x0 < 0 ? 0 : x0;
    x1 = x1 < tile->width ? x1 : tile->width;
    int at = FIRST + x0 - tile->x0;
    float *out[3];
    for (int c = 0; c < 3; c++)
        out[c] = RING(scratch->light[p][c], y) + at;
    if (tile->level)
        half_light(w, p, x0, x1, y, out);
    else if (tile->light->width < tile->width)
        extended_light(w, p, x0, x1, clamp(y - tile->above, tile->light->height - 1), out);
    else
        picture_light(w, p, x0, x1, clamp(y - tile->above, tile->light->height - 1), out);
    for (int c = 0; c < 3; c++) {
        float *light = RING(scratch->light[p][c], y), *soft = RING(scratch->soft[p][c], y);
        mirror_row(w, light);
        EACH_VECTOR(w, AHEAD_OPSIN)
        {
            fv_f32 s = fv_butter_soft[0] * FV_LOAD(fv_f32, light + i);
            for (int k = 1; k <= FV_BUTTER_SOFT_REACH; k++)
                s = s + fv_butter_soft[k] * (FV_LOAD(fv_f32, light + i - k) + FV_LOAD(fv_f32, light + i + k));
            FV_STORE(soft + i, s);
        }
    }
}

static int mirrored(int i, int n)
{
    return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

static void opsin_row(Walk *w, int p, int y)
{
    Scratch *scratch = w->scratch;
    const float *light[3], *soft[3][2 * FV_BUTTER_SOFT_REACH + 1];
    float *opsin[3], intensity = w->tile->intensity;
    for (int c = 0; c < 3; c++) {
        light[c] = RING(scratch->light[p][c], y);
        opsin[c] = RING(scratch->opsin[p][c], y);
        for (int k = 0; k <= 2 * FV_BUTTER_SOFT_REACH; k++)
            soft[c][k] = RING(scratch->soft[p][c], mirrored(y + k - FV_BUTTER_SOFT_REACH, w->tile->height));
    }
    EACH_VECTOR(w, AHEAD_OPSIN)
    {
        fv_f32 s[3];
        for (int c = 0; c < 3; c++) {
            s[c] = fv_butter_soft[0] * FV_LOAD(fv_f32, soft[c][2] + i);
            s[c] = s[c] + fv_butter_soft[1] * (FV_LOAD(fv_f32, soft[c][1] + i) + FV_LOAD(fv_f32, soft[c][3] + i));
            s[c] = s[c] + fv_butter_soft[2] * (FV_LOAD(fv_f32, soft[c][0] + i) + FV_LOAD(fv_f32, soft[c][4] + i));
        }
        FvButterOpsin o = fv_butter_opsin(
            FV_LOAD(fv_f32, light[0] + i) * intensity, FV_LOAD(fv_f32, light[1] + i) * intensity,
            FV_LOAD(fv_f32, light[2] + i) * intensity, s[0] * intensity, s[1] * intensity, s[2] * intensity);
        FV_STORE(opsin[0] + i, o.x);
        FV_STORE(opsin[1] + i, o.y);
        FV_STORE(opsin[2] + i, o.b);
    }
}

/* ---- Stages: rows [y0, y1) ------------------------------------------------------------------------------------ */

/* Opsin, and its rows blurred widely. */
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

/* Takes the middle band out of the rest of a row: what is left goes to `all`. */
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

/* The two highest bands of a row in X and Y, and how busy it is. */
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
        /* What was blurred is not needed here any more: its place takes the activity. */
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

/* Of rows above or below the picture. */
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

/* ---- Results -------------------------------------------------------------------------------------------------- */

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

/* Adds rows [k0, k1) of a group, columns [i0, i1). */
FV_FN void add_group(const Walk *w, int k0, int k1, int i0, int i1, FvButterSums *sums)
{
    Row *distance = w->scratch->distance;
    fv_f32 most = fv_splat_f32(0.0f);
    for (int i = i0; i < i1; i += FV_LANES) {
        fv_f32 s[3];
        s[0] = s[1] = s[2] = fv_splat_f32(0.0f);
        fv_mask inside = fv_lane_index() < i1 - i;
        for (int k = k0; k < k1; k++) {
            fv_f32 d = fv_sel_f32(inside, FV_LOAD(fv_f32, distance[k] + i), fv_splat_f32(0.0f));
            fv_f32 cube = fv_butter_cube(d), sixth = cube * cube;
            s[0] = s[0] + cube;
            s[1] = s[1] + sixth;
            s[2] = s[2] + sixth * sixth;
            most = fv_max_f32(most, d);
        }
        for (int n = 0; n < 3; n++) {
            fv_u32 bits = fv_bits(s[n]);
            for (int lane = 0; lane < FV_LANES; lane++)
                fv_butter_add(sums->digit[n], bits[lane]);
        }
    }
    for (int lane = 0; lane < FV_LANES; lane++)
        sums->most = most[lane] > sums->most ? most[lane] : sums->most;
}

/* Rows [y0, y1) of the level, of which those of the picture count. */
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

/* ---- The walk ------------------------------------------------------------------------------------------------- */

/* A stage's share of the step whose results begin at row y. */
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
    memset(scratch, 0, sizeof(Scratch)); /* vectors read behind what is made, and numbers there should be ordinary */
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
