/* Butteraugli, the reference: computes an area of a level, one step after the other. */
#include "arith/scalar.h"

#include "arith/butteraugli.h"
#include "cpu/border.h"
#include "cpu/butteraugli.h"

#define AREA 256 /* columns and rows of an area; a tile is computed in areas */
#define HALO FV_BUTTER_HALO
#define SIDE (AREA + 2 * HALO)

/* A plane of an area and its surroundings: element [j][i] is sample (x0 - HALO + i, y0 - HALO + j). */
typedef float Plane[SIDE][SIDE];

typedef struct Bands {
    Plane low[3], middle[3], high[2], highest[2];
    Plane activity;
} Bands;

typedef struct Scratch {
    Plane light[3], soft[3], opsin[3], rest[2], rows;
    Bands bands[2];
    Plane lack, above[3], distance;
} Scratch;

typedef struct Area {
    const FvButterTile *tile;
    int bytes; /* bytes per sample */
    int x0, y0, x1, y1;
    int margin; /* distance from the area, in samples, within which results are valid */
    Scratch *scratch;
} Area;

/* Loops over every sample (x, y) of the level within the area and its margin; its element is [j][i]. */
#define EACH(a)                                                                                                      \
    for (int y = (a)->y0 - (a)->margin, j = HALO - (a)->margin; y < (a)->y1 + (a)->margin; y++, j++)                 \
        for (int x = (a)->x0 - (a)->margin, i = HALO - (a)->margin; x < (a)->x1 + (a)->margin; x++, i++)             \
            if (inside(a, x, y))

static bool inside(const Area *a, int x, int y)
{
    return x >= 0 && x < a->tile->width && y >= 0 && y < a->tile->height;
}

/* Returns the value at a position that may be outside the frame. */
static float at(const Area *a, Plane plane, int i, int j)
{
    return inside(a, a->x0 - HALO + i, a->y0 - HALO + j) ? plane[j][i] : 0;
}

/* ---- Light ---------------------------------------------------------------------------------------------------- */

static void picture_light(const Area *a, int p, int x, int y, float rgb[3])
{
    const FvButterTile *tile = a->tile;
    (a->bytes == 1 ? fv_light_kernels_scalar.row8
                   : fv_light_kernels_scalar.row16)(tile->light, tile->sample[p], tile->sample_stride[p], x, x + 1, y,
                                                    (float *const[3]){&rgb[0], &rgb[1], &rgb[2]});
}

static void level_light(const Area *a, int p, int x, int y, float rgb[3])
{
    int width = a->tile->light->width, height = a->tile->light->height;
    if (a->tile->level == 0) {
        picture_light(a, p, fv_clamp(x - a->tile->left, width), fv_clamp(y - a->tile->above, height), rgb);
        return;
    }
    float four[4][3];
    for (int n = 0; n < 4; n++)
        picture_light(a, p, fv_clamp(2 * x + n % 2, width), fv_clamp(2 * y + n / 2, height), four[n]);
    for (int c = 0; c < 3; c++)
        rgb[c] = FV_LIGHT_HALF(four[0][c], four[1][c], four[2][c], four[3][c]);
}

static void soften_light(Area *a, int c)
{
    const FvButterTile *tile = a->tile;
    float(*light)[SIDE] = a->scratch->light[c], (*rows)[SIDE] = a->scratch->rows;
    EACH(a)
    {
        float s = fv_butter_soft[0] * light[j][i];
        for (int k = 1; k <= FV_BUTTER_SOFT_REACH; k++) {
            int left = fv_mirror_edge(x - k, tile->width) - x + i, right = fv_mirror_edge(x + k, tile->width) - x + i;
            if (left >= 0 && right < SIDE)
                s = s + fv_butter_soft[k] * (light[j][left] + light[j][right]);
        }
        rows[j][i] = s;
    }
    a->margin -= FV_BUTTER_SOFT_REACH;
    EACH(a)
    {
        float s = fv_butter_soft[0] * rows[j][i];
        for (int k = 1; k <= FV_BUTTER_SOFT_REACH; k++)
            s = s + fv_butter_soft[k] * (rows[fv_mirror_edge(y - k, tile->height) - y + j][i] +
                                         rows[fv_mirror_edge(y + k, tile->height) - y + j][i]);
        a->scratch->soft[c][j][i] = s;
    }
    a->margin += FV_BUTTER_SOFT_REACH;
}

static void make_opsin(Area *a, int p)
{
    Scratch *s = a->scratch;
    float intensity = a->tile->intensity;
    a->margin = HALO;
    EACH(a)
    {
        float rgb[3];
        level_light(a, p, x, y, rgb);
        for (int c = 0; c < 3; c++)
            s->light[c][j][i] = rgb[c];
    }
    for (int c = 0; c < 3; c++)
        soften_light(a, c);
    a->margin -= FV_BUTTER_SOFT_REACH;
    EACH(a)
    {
        FvButterOpsin opsin = fv_butter_opsin(s->light[0][j][i] * intensity, s->light[1][j][i] * intensity,
                                              s->light[2][j][i] * intensity, s->soft[0][j][i] * intensity,
                                              s->soft[1][j][i] * intensity, s->soft[2][j][i] * intensity);
        s->opsin[0][j][i] = opsin.x;
        s->opsin[1][j][i] = opsin.y;
        s->opsin[2][j][i] = opsin.b;
    }
}

/* ---- Bands ---------------------------------------------------------------------------------------------------- */

/*
 * Blurs a plane. The result is valid in a margin that is smaller by `reach`; the caller reduces a->margin after the
 * last plane.
 */
static void blur(Area *a, Plane from, const float *taps, int reach, FvButterBlur which, Plane to)
{
    float(*rows)[SIDE] = a->scratch->rows;
    int margin = a->margin;
    EACH(a)
    {
        float s = taps[0] * from[j][i];
        for (int k = 1; k <= reach && i - k >= 0 && i + k < SIDE; k++)
            s = s + taps[k] * (at(a, from, i - k, j) + at(a, from, i + k, j));
        rows[j][i] = s * a->tile->gain_x[which][x];
    }
    a->margin -= reach;
    EACH(a)
    {
        float s = taps[0] * rows[j][i];
        for (int k = 1; k <= reach; k++)
            s = s + taps[k] * (at(a, rows, i, j - k) + at(a, rows, i, j + k));
        to[j][i] = s * a->tile->gain_y[which][y];
    }
    a->margin = margin;
}

static void low_and_middle(Area *a, Bands *b)
{
    Scratch *s = a->scratch;
    for (int c = 0; c < 3; c++)
        blur(a, s->opsin[c], fv_butter_low, FV_BUTTER_LOW_REACH, FV_BUTTER_LOW, b->low[c]);
    a->margin -= FV_BUTTER_LOW_REACH;
    for (int c = 0; c < 3; c++) {
        EACH(a)
        s->opsin[c][j][i] = s->opsin[c][j][i] - b->low[c][j][i];
        blur(a, s->opsin[c], fv_butter_middle, FV_BUTTER_MIDDLE_REACH, FV_BUTTER_MIDDLE, b->middle[c]);
    }
    a->margin -= FV_BUTTER_MIDDLE_REACH;
    EACH(a)
    {
        float x_low = b->low[0][j][i], y_low = b->low[1][j][i];
        b->low[0][j][i] = FV_BUTTER_LOW_X(x_low);
        b->low[1][j][i] = FV_BUTTER_LOW_Y(y_low);
        b->low[2][j][i] = FV_BUTTER_LOW_B(y_low, b->low[2][j][i]);
        float y_high = s->opsin[1][j][i] - b->middle[1][j][i];
        s->rest[1][j][i] = y_high;
        s->rest[0][j][i] = fv_butter_suppressed(s->opsin[0][j][i] - b->middle[0][j][i], y_high);
        b->middle[0][j][i] = FV_BUTTER_MIDDLE_X(b->middle[0][j][i]);
        b->middle[1][j][i] = FV_BUTTER_MIDDLE_Y(b->middle[1][j][i]);
    }
}

static void high_and_activity(Area *a, Bands *b)
{
    Scratch *s = a->scratch;
    for (int c = 0; c < 2; c++)
        blur(a, s->rest[c], fv_butter_high, FV_BUTTER_HIGH_REACH, FV_BUTTER_HIGH, b->high[c]);
    a->margin -= FV_BUTTER_HIGH_REACH;
    EACH(a)
    {
        float x_blurred = b->high[0][j][i], y_blurred = FV_BUTTER_SOFT_Y(b->high[1][j][i]);
        b->highest[0][j][i] = FV_BUTTER_HIGHEST_X(s->rest[0][j][i], x_blurred);
        b->high[0][j][i] = FV_BUTTER_HIGH_X(x_blurred);
        b->highest[1][j][i] = FV_BUTTER_HIGHEST_Y(s->rest[1][j][i], y_blurred);
        b->high[1][j][i] = FV_BUTTER_HIGH_Y(y_blurred);
        s->rest[0][j][i] =
            fv_butter_activity(b->highest[0][j][i], b->high[0][j][i], b->highest[1][j][i], b->high[1][j][i]);
    }
    blur(a, s->rest[0], fv_butter_mask, FV_BUTTER_MASK_REACH, FV_BUTTER_MASK, b->activity);
}

/* ---- Differences ---------------------------------------------------------------------------------------------- */

#define PAIR(dx, dy) (at(a, lack, i + (dx), j + (dy)) + at(a, lack, i - (dx), j - (dy)))

static void add_lines(Area *a, bool fine, Plane sum)
{
    float(*lack)[SIDE] = a->scratch->lack;
    a->margin = 0;
    EACH(a)
    {
        float middle = lack[j][i];
        sum[j][i] = sum[j][i] + (fine ? FV_BUTTER_FINE(middle, PAIR) : FV_BUTTER_COARSE(middle, PAIR));
    }
}

/* Compares a band of both frames by `formula` and adds the energy along lines. */
#define LINES(formula, band, is_fine, c)                                                                             \
    a->margin = FV_BUTTER_LINE_REACH;                                                                                \
    EACH(a)                                                                                                          \
    a->scratch->lack[j][i] = formula(ref->band[c][j][i], dis->band[c][j][i]);                                        \
    add_lines(a, is_fine, above[c]);

static void compare_area(Area *a)
{
    Bands *ref = &a->scratch->bands[0], *dis = &a->scratch->bands[1];
    float(*above)[SIDE][SIDE] = a->scratch->above;
    static const float high_weight[] = {FV_BUTTER_HIGH_WEIGHT_X, FV_BUTTER_HIGH_WEIGHT_Y};
    static const float middle_weight[] = {FV_BUTTER_MIDDLE_WEIGHT_X, FV_BUTTER_MIDDLE_WEIGHT_Y,
                                          FV_BUTTER_MIDDLE_WEIGHT_B};
    a->margin = 0;
    EACH(a)
    above[0][j][i] = above[1][j][i] = above[2][j][i] = 0;
    LINES(FV_BUTTER_LACK_HIGHEST_Y, highest, true, 1)
    LINES(FV_BUTTER_LACK_HIGHEST_X, highest, true, 0)
    LINES(FV_BUTTER_LACK_HIGH_Y, high, false, 1)
    LINES(FV_BUTTER_LACK_HIGH_X, high, false, 0)
    LINES(FV_BUTTER_LACK_MIDDLE_Y, middle, false, 1)
    LINES(FV_BUTTER_LACK_MIDDLE_X, middle, false, 0)
    for (int c = 0; c < 3; c++)
        EACH(a)
        {
            float sum = above[c][j][i];
            if (c < 2) {
                float r = ref->high[c][j][i], d = dis->high[c][j][i];
                sum = sum + fv_butter_square(r, d, high_weight[c]);
                sum = sum + fv_butter_outside(r, d, high_weight[c]);
            }
            above[c][j][i] = sum + fv_butter_square(ref->middle[c][j][i], dis->middle[c][j][i], middle_weight[c]);
        }
}

static float erosion(const Area *a, int i, int j)
{
    FvButterLeast least = fv_butter_least(a->scratch->bands[0].activity[j][i]);
    for (int n = 0; n < 9; n++) {
        int dx = (n % 3 - 1) * FV_BUTTER_EROSION_REACH, dy = (n / 3 - 1) * FV_BUTTER_EROSION_REACH;
        if (n != 4 && inside(a, a->x0 - HALO + i + dx, a->y0 - HALO + j + dy))
            least = fv_butter_with(least, a->scratch->bands[0].activity[j + dy][i + dx]);
    }
    return FV_BUTTER_EROSION(least);
}

static void measure_area(Area *a)
{
    const Bands *ref = &a->scratch->bands[0], *dis = &a->scratch->bands[1];
    static const float weight[] = {FV_BUTTER_LOW_WEIGHT_X, FV_BUTTER_LOW_WEIGHT_Y, FV_BUTTER_LOW_WEIGHT_B};
    a->margin = 0;
    EACH(a)
    {
        const float above[] = {a->scratch->above[0][j][i], a->scratch->above[1][j][i], a->scratch->above[2][j][i]};
        float low[3], e = ref->activity[j][i] - dis->activity[j][i];
        for (int c = 0; c < 3; c++)
            low[c] = fv_butter_square(ref->low[c][j][i], dis->low[c][j][i], weight[c]);
        float y_above = above[1] + (10.0f * e) * e;
        float distance =
            fv_butter_distance((low[0] + low[1]) + low[2], (above[0] + y_above) + above[2], erosion(a, i, j));
        if (a->tile->half)
            distance = FV_BUTTER_BOTH(distance, a->tile->half[(y >> 1) * a->tile->half_stride + (x >> 1)]);
        a->scratch->distance[j][i] = distance;
    }
}

/* ---- Results -------------------------------------------------------------------------------------------------- */

/* Adds a column of a group of rows to the sums, which take only samples of the unextended frame. */
static void add_column(const Area *a, int i, int j, FvButterSums *sums)
{
    float s[FV_BUTTER_NORMS] = {0};
    for (int k = j; k < j + FV_BUTTER_GROUP; k++) {
        int y = a->y0 - HALO + k - a->tile->above;
        if (k >= HALO + a->y1 - a->y0 || y < 0 || y >= a->tile->light->height)
            continue;
        float distance = a->scratch->distance[k][i];
        FvButterPowers powers = fv_butter_powers(distance);
        s[0] = s[0] + powers.third;
        s[1] = s[1] + powers.sixth;
        s[2] = s[2] + powers.twelfth;
        s[3] = s[3] + powers.fifth;
        sums->most = fv_max_f32(sums->most, distance);
    }
    for (int k = 0; k < FV_BUTTER_NORMS; k++)
        fv_butter_add(sums->digit[k], fv_bits(s[k]), 1);
}

static void put_results(Area *a, FvButterSums *sums)
{
    const FvButterTile *tile = a->tile;
    bool whole = tile->level == 1;
    int width = whole ? tile->width : tile->light->width, height = whole ? tile->height : tile->light->height;
    a->margin = 0;
    EACH(a)
    {
        int column = x - tile->left, row = y - tile->above;
        if (column < 0 || column >= width)
            continue;
        if (tile->map && row >= 0 && row < height)
            tile->map[row * tile->map_stride + column] = a->scratch->distance[j][i];
        if (!whole && (y - a->y0) % FV_BUTTER_GROUP == 0)
            add_column(a, i, j, sums);
    }
}

static void do_area(Area *a, FvButterSums *sums)
{
    for (int p = 0; p < 2; p++) {
        make_opsin(a, p);
        low_and_middle(a, &a->scratch->bands[p]);
        high_and_activity(a, &a->scratch->bands[p]);
    }
    compare_area(a);
    measure_area(a);
    put_results(a, sums);
}

static void do_tile(const FvButterTile *tile, int bytes, FvButterSums *sums, void *scratch)
{
    for (int y = tile->y0; y < tile->y1; y += AREA)
        for (int x = tile->x0; x < tile->x1; x += AREA) {
            Area area = {.tile = tile,
                         .bytes = bytes,
                         .x0 = x,
                         .y0 = y,
                         .x1 = x + AREA < tile->x1 ? x + AREA : tile->x1,
                         .y1 = y + AREA < tile->y1 ? y + AREA : tile->y1,
                         .scratch = scratch};
            do_area(&area, sums);
        }
}

static void tile8(const FvButterTile *tile, FvButterSums *sums, void *scratch)
{
    do_tile(tile, 1, sums, scratch);
}

static void tile16(const FvButterTile *tile, FvButterSums *sums, void *scratch)
{
    do_tile(tile, 2, sums, scratch);
}

const FvButterKernels fv_butter_kernels_scalar = {.tile8 = tile8, .tile16 = tile16, .scratch_bytes = sizeof(Scratch)};
