/*
 * Responses of one level of the visual discrimination model for one instruction set. From two pyramids it computes
 * the sum of powers S_k, a tile of columns at a time, row by row. A ring of rows keeps what the filters along columns
 * read in the nearest caches. Both frames are processed together.
 */
#include "cpu/vdm.h"

#include "cpu/neighbours-inl.h"
#include "cpu/vdm_rows.h"

#define SPAN 128 /* columns of responses per tile: two more on each side than the result has */
#define RING 11  /* rows of the ring: one for each tap of a filter */
/* Floats of a row of contrasts: five more on each side, and room for vectors that run past the end. */
#define WIDE (SPAN + 48)
#define LEFT 16 /* floats before the first response's column */

enum { M0, M1, G2, H2, H3, WEIGHT, PLANES };

typedef struct Work {
    float ring[2][RING][PLANES][SPAN];
    float pooled[5][4][SPAN];
    float difference[4][WIDE];
    float contrast[2][WIDE];
    float expanded[2][2][4 * (SPAN + 16 + FV_VDM_MARGIN + FV_VDM_BEHIND)];
} Work;

typedef struct Tile {
    const FvVdmLevel *level;
    const FvVdmSeen *seen;
    FvVdmTile tile;
    int width, height; /* size of the level */
    int left;          /* the level's column at which responses start; may be negative */
    int span;          /* number of columns of responses */
    int from, to;      /* columns [from, to) whose contrast is needed, all inside the level; `from` is even */
    Expanded coarse[2], mean[2];
    Work *work;
} Tile;

/*
 * Returns interpolated weights. Lanes after the row hold arbitrary numbers; fv_vdm_adaptation() and the limits of the
 * luminance keep their index inside the table.
 */
FV_FN fv_f32 weights_at(const float *weights, fv_f32 adaptation)
{
    fv_f32 luminance = fv_vdm_weight_luminance(adaptation);
    fv_i32 node = fv_vdm_weight_node(luminance);
    fv_f32 low, high;
    FV_NEIGHBOURS(weights, node, 1, low, high);
    return fv_vdm_weight(luminance, low, high);
}

/*
 * Copies the tile's columns of `row` to a plane of intermediate results; column 0 of `row` is the level's column
 * `first`.
 */
static void keep_row(const Tile *t, int picture, FvVdmStage stage, int y, const float *row, int first)
{
    float *plane = t->seen->plane[picture][stage];
    if (plane && y >= t->tile.y && y < t->tile.y + t->tile.height)
        memcpy(plane + y * t->level->sum.stride + t->tile.x, row + t->tile.x - first, t->tile.width * sizeof *row);
}

/* ---- Along rows ----------------------------------------------------------------------------------------------- */

/*
 * Returns the value at[5] and, for the distances 1 to 5, the sums and differences of the values after and before it.
 */
FV_FN FvVdmEleven eleven_of(const float *const at[RING])
{
    fv_f32 sum[5], difference[5];
    for (int i = 0; i < 5; i++) {
        fv_f32 before = FV_LOAD(fv_f32, at[4 - i]), behind = FV_LOAD(fv_f32, at[6 + i]);
        sum[i] = before + behind;
        difference[i] = behind - before;
    }
    return (FvVdmEleven){FV_LOAD(fv_f32, at[5]), sum[0],        sum[1],        sum[2],        sum[3],       sum[4],
                         difference[0],          difference[1], difference[2], difference[3], difference[4]};
}

FV_FN FvVdmEleven line_at(const float *middle)
{
    const float *at[RING];
    for (int i = 0; i < RING; i++)
        at[i] = middle + i - RING / 2;
    return eleven_of(at);
}

/* Computes the contrast and the weights of row y, filters them along the row, and stores the results in the ring. */
FV_FN void enter_row(Tile *t, int picture, int y, bool seen)
{
    const FvVdmLevel *level = t->level;
    float(*ring)[SPAN] = t->work->ring[picture][y % RING];
    float *contrast = t->work->contrast[picture] + LEFT - t->left; /* points to column 0 of the level */
    const float *gauss = fv_vdm_row(&level->gauss[picture], y);
    NearRows coarse = expanded_near(&t->coarse[picture], y), mean = expanded_near(&t->mean[picture], y);
    float weight[WIDE], adapted[WIDE];
    for (int x = t->from; x < t->to; x += FV_LANES) {
        fv_f32 adaptation = fv_vdm_adaptation(expanded_at(&mean, x - t->from));
        fv_f32 value = fv_vdm_contrast(FV_LOAD(fv_f32, gauss + x), expanded_at(&coarse, x - t->from), adaptation);
        FV_STORE(contrast + x, value);
        FV_STORE(weight + x - t->from, weights_at(level->weights, adaptation));
        if (seen)
            FV_STORE(adapted + x - t->from, adaptation);
    }
    if (seen) {
        keep_row(t, picture, FV_VDM_CONTRAST, y, contrast, 0);
        keep_row(t, picture, FV_VDM_ADAPTATION, y, adapted, t->from);
    }
    for (int x = -1; x >= t->left - 5; x--)
        contrast[x] = contrast[fv_vdm_mirror(x, t->width)];
    for (int x = t->width; x < t->left + t->span + 5; x++)
        contrast[x] = contrast[fv_vdm_mirror(x, t->width)];
    int first = t->left < 0 ? 0 : t->left, last = t->left + t->span < t->width ? t->left + t->span : t->width;
    memcpy(ring[WEIGHT] + first - t->left, weight + first - t->from, (last - first) * sizeof *weight);
    for (int x = 0; x < t->span; x += FV_LANES) {
        FvVdmEleven eleven = line_at(contrast + t->left + x);
        FV_STORE(ring[M0] + x, fv_vdm_m0(eleven));
        FV_STORE(ring[M1] + x, fv_vdm_m1(eleven));
        FV_STORE(ring[G2] + x, fv_vdm_g2(eleven));
        FV_STORE(ring[H2] + x, fv_vdm_h2(eleven));
        FV_STORE(ring[H3] + x, fv_vdm_h3(eleven));
    }
}

/* ---- Along columns -------------------------------------------------------------------------------------------- */

/* Returns the values of a column at x; rows[i] is the ring's row i - 5 rows below the current one. */
FV_FN FvVdmEleven column_at(const float *const rows[RING], int plane, int x)
{
    const float *at[RING];
    for (int i = 0; i < RING; i++)
        at[i] = rows[i] + plane * SPAN + x;
    return eleven_of(at);
}

FV_FN FvVdmFour energy_at(const float *const rows[RING], int x)
{
    FvVdmEleven m0 = column_at(rows, M0, x);
    fv_f32 gc = fv_vdm_g2(m0), hd = fv_vdm_h3(m0);
    FvVdmEleven m1 = column_at(rows, M1, x);
    fv_f32 gb = fv_vdm_m1(m1), hc = fv_vdm_h2(m1);
    fv_f32 ga = fv_vdm_m0(column_at(rows, G2, x)), ha = fv_vdm_m0(column_at(rows, H3, x));
    return fv_vdm_energy(ga, gb, gc, ha, fv_vdm_m1(column_at(rows, H2, x)), hc, hd);
}

/* Computes the difference of the two frames' responses in row y. */
FV_FN void respond_row(Tile *t, int y, bool square, bool seen)
{
    const FvVdmTransducer *p = &t->level->transducer;
    Work *work = t->work;
    const float *rows[2][RING];
    for (int i = 0; i < RING; i++) {
        int slot = fv_vdm_mirror(y + i - 5, t->height) % RING;
        rows[0][i] = work->ring[0][slot][0];
        rows[1][i] = work->ring[1][slot][0];
    }
    float energies[2][4][SPAN], responses[2][4][SPAN];
    for (int x = 0; x < t->span; x += FV_LANES) {
        fv_f32 difference[4];
        FV_UNROLL
        for (int picture = 0; picture < 2; picture++) {
            FvVdmFour energy = energy_at(rows[picture], x);
            fv_f32 weight = FV_LOAD(fv_f32, rows[picture][5] + WEIGHT * SPAN + x);
            fv_f32 four[4] = {energy.at0, energy.at45, energy.at90, energy.at135};
            FV_UNROLL
            for (int o = 0; o < 4; o++) {
                fv_f32 response =
                    fv_vdm_response(four[o], weight, p->half_n, p->half_difference, p->kappa, p->gain, square);
                difference[o] = picture ? difference[o] - response : response;
                if (seen) {
                    FV_STORE(energies[picture][o] + x, four[o]);
                    FV_STORE(responses[picture][o] + x, response);
                }
            }
        }
        FV_UNROLL
        for (int o = 0; o < 4; o++)
            FV_STORE(work->difference[o] + LEFT + x, difference[o]);
    }
    for (int picture = 0; seen && picture < 2; picture++)
        for (int o = 0; o < 4; o++) {
            keep_row(t, picture, FV_VDM_ENERGY + o, y, energies[picture][o], t->left);
            keep_row(t, picture, FV_VDM_RESPONSE + o, y, responses[picture][o], t->left);
        }
}

/* ---- Pooling -------------------------------------------------------------------------------------------------- */

/* Averages the differences of row y along the row, at the columns of the result. */
FV_FN void pool_row(Tile *t, int y, bool wide)
{
    for (int o = 0; o < 4; o++) {
        float *difference = t->work->difference[o] + LEFT - t->left, *to = t->work->pooled[y % 5][o];
        if (t->left < 0)
            for (int x = -1; x >= -2; x--)
                difference[x] = difference[fv_vdm_mirror(x, t->width)];
        for (int x = t->width; x < t->left + t->span; x++)
            difference[x] = difference[fv_vdm_mirror(x, t->width)];
        const float *from = difference + t->tile.x;
        for (int x = 0; x < t->tile.width; x += FV_LANES) {
            fv_f32 mean = FV_LOAD(fv_f32, from + x);
            if (wide)
                mean = fv_vdm_mean5(FV_LOAD(fv_f32, from + x - 2), FV_LOAD(fv_f32, from + x - 1), mean,
                                    FV_LOAD(fv_f32, from + x + 1), FV_LOAD(fv_f32, from + x + 2));
            FV_STORE(to + x, mean);
        }
    }
}

/* Computes row y of S_k. */
FV_FN void sum_row(Tile *t, int y, bool wide)
{
    float *to = fv_vdm_row(&t->level->sum, y) + t->tile.x, row[SPAN + FV_LANES];
    float(*rows[5])[SPAN];
    for (int i = 0; i < 5; i++)
        rows[i] = t->work->pooled[fv_vdm_mirror(y + i - 2, t->height) % 5];
    for (int x = 0; x < t->tile.width; x += FV_LANES) {
        fv_f32 means[4], sum = {0};
        FV_UNROLL
        for (int o = 0; o < 4; o++) {
            means[o] = FV_LOAD(fv_f32, rows[2][o] + x);
            if (wide)
                means[o] = fv_vdm_mean5(FV_LOAD(fv_f32, rows[0][o] + x), FV_LOAD(fv_f32, rows[1][o] + x), means[o],
                                        FV_LOAD(fv_f32, rows[3][o] + x), FV_LOAD(fv_f32, rows[4][o] + x));
        }
        FV_UNROLL
        for (int o = 0; o < 4; o++) {
            fv_f32 distance = fv_vdm_distance(means[o], t->level->q);
            sum = o ? sum + distance : distance;
        }
        FV_STORE(row + x, sum);
    }
    memcpy(to, row, t->tile.width * sizeof *row);
}

FV_FN void respond_tile(Tile *t, bool square, bool wide, bool seen)
{
    int top = t->tile.y, bottom = top + t->tile.height, entered = top - 7, answered = top - 2;
    if (entered < 0)
        entered = 0;
    if (answered < 0)
        answered = 0;
    for (int y = top; y < bottom; y++) {
        for (; answered < t->height && answered <= y + 2; answered++) {
            for (; entered < t->height && entered <= answered + 5; entered++) {
                enter_row(t, 0, entered, seen);
                enter_row(t, 1, entered, seen);
            }
            respond_row(t, answered, square, seen);
            pool_row(t, answered, wide);
        }
        sum_row(t, y, wide);
    }
}

void FV_ISA_STRUCT(fv_vdm_respond)(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, float *work);

void FV_ISA_STRUCT(fv_vdm_respond)(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen, float *work)
{
    Tile t = {.level = level, .seen = seen, .tile = tile, .width = level->sum.width, .height = level->sum.height};
    t.work = (Work *)work;
    t.left = tile.x - 2;
    t.span = tile.width + 4;
    t.from = t.left - 5 < 0 ? 0 : (t.left - 5) & ~1;
    t.to = t.left + t.span + 5 < t.width ? t.left + t.span + 5 : t.width;
    for (int picture = 0; picture < 2; picture++) {
        t.coarse[picture] =
            expanded_rows(&level->coarse[picture], t.from, t.to - t.from, t.work->expanded[picture][0]);
        t.mean[picture] = expanded_rows(&level->mean[picture], t.from, t.to - t.from, t.work->expanded[picture][1]);
    }
    bool wide = level->pool == 5;
    if (seen)
        respond_tile(&t, level->transducer.square, wide, true);
    else if (level->transducer.square && wide)
        respond_tile(&t, true, true, false);
    else
        respond_tile(&t, level->transducer.square, wide, false);
}
