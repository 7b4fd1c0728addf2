/*
 * ColorVideoVDP for one instruction set: rows of the pyramid, and tiles. All steps of a tile, from contrasts to sums,
 * run while its rows are in cache.
 */
#include "cpu/cvvdp.h"

#include "cpu/simd.h"
#include "cpu/border.h"
#include "cpu/vdm_rows.h"

#include "arith/cvvdp.h"

#define CHANNELS FV_CVVDP_CHANNELS
#define REACH FV_CVVDP_RADIUS
#define EDGE 8   /* columns beside a tile: the radius of the blur, made even */
#define CHAINS 4 /* vectors of powers computed together, because the steps of one power wait for each other */
/* Floats of a row, with room for vectors that run past the end. */
#define WIDE (FV_CVVDP_TILE + 2 * EDGE + (CHAINS + 1) * FV_LANES)
#define RING 32 /* rows of a ring: a group, and the rows that the blur reads above and below it */
#define LEFT 16 /* floats before the first sample of a blurred row */

static void opponent(const FvCvvdpOpponent *opponent, const float *const light[3], int columns, float *const to[3],
                     ptrdiff_t step)
{
    for (int x = 0; x < columns; x += FV_LANES) {
        FvCvvdpLight at = {FV_LOAD(fv_f32, light[0] + x), FV_LOAD(fv_f32, light[1] + x),
                           FV_LOAD(fv_f32, light[2] + x)};
        if (opponent->hlg)
            at = fv_cvvdp_hlg(at, opponent->gamma_1, opponent->exposure, opponent->span, opponent->base);
        for (int i = 0; i < 3; i++)
            FV_STORE(to[i] + x / FV_CVVDP_BLOCK * step + x % FV_CVVDP_BLOCK,
                     FV_CVVDP_OPPONENT(opponent->matrix[i], at));
    }
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

FV_FN fv_f32 pair(const FvCvvdpBlock *before, const FvCvvdpBlock *after, int picture, int plane, int at)
{
    return FV_LOAD(fv_f32, (*before)[picture][plane] + at) + FV_LOAD(fv_f32, (*after)[picture][plane] + at);
}

/*
 * Adds taps [first, end) of the temporal filters to a frame's channels. centre: the frame's entry in
 * FvCvvdpKernels.filter's `order`.
 */
FV_FN void add_taps(const FvCvvdpTime *time, const FvCvvdpBlock *blocks, const ptrdiff_t *centre, int first, int end,
                    int at, fv_f32 y[FV_CVVDP_PLANES])
{
    for (int k = first; k < end; k++) {
        const FvCvvdpBlock *before = blocks + centre[-k], *after = blocks + centre[k];
        FV_UNROLL
        for (int picture = 0; picture < 2; picture++) {
            fv_f32 sum[3] = {pair(before, after, picture, 0, at), pair(before, after, picture, 1, at),
                             pair(before, after, picture, 2, at)};
            FV_UNROLL
            for (int c = 0; c < CHANNELS; c++)
                y[2 * c + picture] = y[2 * c + picture] + time->tap[c][k] * sum[c % 3];
        }
    }
}

/* Does what add_taps() does for taps [0, end), but starts the sums instead of adding to them. */
FV_FN void begin_taps(const FvCvvdpTime *time, const FvCvvdpBlock *blocks, const ptrdiff_t *centre, int end, int at,
                      fv_f32 y[FV_CVVDP_PLANES])
{
    FV_UNROLL
    for (int i = 0; i < FV_CVVDP_PLANES; i++)
        y[i] = time->tap[i / 2][0] * FV_LOAD(fv_f32, blocks[*centre][i % 2][i / 2 % 3] + at);
    add_taps(time, blocks, centre, 1, end, at, y);
}

static void filter(const FvCvvdpTime *time, const FvCvvdpBlock *row, const ptrdiff_t *order, int columns,
                   float *const *to, FvCvvdpBegun *next, bool begun)
{
    const int half = time->half;
    for (int x = 0; x < columns; x += FV_LANES) {
        const FvCvvdpBlock *blocks = row + x / FV_CVVDP_BLOCK;
        const int at = x % FV_CVVDP_BLOCK;
        float(*sums)[FV_CVVDP_BLOCK] = next[x / FV_CVVDP_BLOCK];
        fv_f32 y[FV_CVVDP_PLANES];
        FV_UNROLL
        for (int i = 0; begun && i < FV_CVVDP_PLANES; i++)
            y[i] = FV_LOAD(fv_f32, sums[i] + at);
        if (begun)
            add_taps(time, blocks, order + half, half, half + 1, at, y);
        else if (to)
            begin_taps(time, blocks, order + half, half + 1, at, y);
        FV_UNROLL
        for (int i = 0; to && i < FV_CVVDP_PLANES; i++)
            FV_STREAM(to[i] + x, y[i]);
        if (begun)
            continue;
        begin_taps(time, blocks, order + half + 1, half, at, y);
        FV_UNROLL
        for (int i = 0; i < FV_CVVDP_PLANES; i++)
            FV_STREAM(sums[i] + at, y[i]);
    }
    FV_STREAM_END();
}

/* ---- Pyramid ------------------------------------------------------------------------------------------------ */

static void reduce_row(const FvVdmPlane *from, int y, float *down, float *to)
{
    const int width = from->width, half = (width + 1) >> 1;
    const float *near[5];
    for (int i = 0; i < 5; i++)
        near[i] = fv_vdm_row(from, fv_vdm_mirror(2 * y + i - 2, from->height));
    for (int x = 0; x < width; x += FV_LANES)
        FV_STORE(down + x, FV_CVVDP_REDUCE(FV_LOAD(fv_f32, near[2] + x),
                                           FV_LOAD(fv_f32, near[1] + x) + FV_LOAD(fv_f32, near[3] + x),
                                           FV_LOAD(fv_f32, near[0] + x) + FV_LOAD(fv_f32, near[4] + x)));
    fv_vdm_reflect(down, width, 2);
    for (int x = 0; x < half; x += FV_LANES) {
        const float *row = down + 2 * x;
        Two here = apart(row), before = apart(row - 2), after = apart(row + 2);
        FV_STORE(to + x, FV_CVVDP_REDUCE(here.even, before.odd + here.odd, before.even + after.even));
    }
    /* The values after the last column also depend on the parity of the rows: docs/metrics/cvvdp.md */
    const float *end = down + 2 * (half - 1);
    if (!(width & 1) && from->height & 1)
        to[half - 1] = FV_CVVDP_REDUCE(end[0], end[-1] + end[1], end[-2] + end[0]) + 0.25f * end[1];
    else if (width & 1 && !(from->height & 1))
        to[half - 1] = FV_CVVDP_REDUCE(end[0], end[-1] + 0.0f, end[-2] + end[0]);
}

static void reduce(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work)
{
    for (int y = row; y < row + rows; y++)
        reduce_row(from, y, work + FV_VDM_MARGIN, fv_vdm_row(to, y));
}

/* The rows of the next coarser level that row y of a level reads, from column `first` of that level on. */
typedef struct Down {
    const float *before, *here, *next;
    bool odd;
    int left; /* number of columns up to the end of the row */
} Down;

FV_FN fv_f32 down_at(const Down *down, int x)
{
    fv_f32 here = FV_LOAD(fv_f32, down->here + x), next = FV_LOAD(fv_f32, down->next + x);
    return down->odd ? FV_CVVDP_EXPAND_ODD(here, next)
                     : FV_CVVDP_EXPAND_EVEN(here, FV_LOAD(fv_f32, down->before + x), next);
}

/* Returns down_at(), and after the end of the row its last value; before: the previous vector. */
FV_FN fv_f32 down_to_end(const Down *down, int x, fv_f32 before)
{
    const int left = down->left - x;
    if (left >= FV_LANES)
        return down_at(down, x);
    if (left <= 0)
        return fv_splat_f32(before[FV_LANES - 1]);
    fv_f32 v = down_at(down, x);
    return fv_sel_f32(fv_lane_index() < left, v, fv_splat_f32(v[left - 1]));
}

/* Writes columns [x0, x1) of row y of a level, expanded from the next coarser level; x0 is even. */
FV_FN void expand_row(const FvVdmPlane *from, int x0, int x1, int y, float *to)
{
    const int i = y >> 1, first = x0 / 2;
    const Down down = {fv_vdm_row(from, fv_clamp(i - 1, from->height)) + first, fv_vdm_row(from, i) + first,
                       fv_vdm_row(from, fv_clamp(i + 1, from->height)) + first, y & 1, from->width - first};
    fv_f32 here = down_to_end(&down, 0, (fv_f32){0});
    fv_f32 before = first ? down_at(&down, -FV_LANES) : fv_splat_f32(here[0]);
    for (int x = 0; 2 * x < x1 - x0; x += FV_LANES) {
        fv_f32 next = down_to_end(&down, x + FV_LANES, here);
        __builtin_prefetch(down.next + from->stride + x);
        fv_f32 right = FV_VDM_SHIFT(here, next, 1);
        fv_f32 even = FV_CVVDP_EXPAND_EVEN(here, FV_VDM_SHIFT(before, here, FV_LANES - 1), right);
        fv_f32 odd = FV_CVVDP_EXPAND_ODD(here, right);
        FV_STORE(to + 2 * x, FV_VDM_JOIN(even, odd, 0));
        FV_STORE(to + 2 * x + FV_LANES, FV_VDM_JOIN(even, odd, FV_LANES / 2));
        before = here;
        here = next;
    }
}

/* ---- Tiles -------------------------------------------------------------------------------------------------- */

typedef struct Scratch {
    float mean[FV_CVVDP_PLANES][WIDE];      /* the next coarser level, expanded */
    float mask[CHANNELS][RING][WIDE];       /* the lesser contrast of the two frames */
    float difference[CHANNELS][RING][WIDE]; /* differences of the contrasts whose lesser one is in `mask` */
    float blurred[LEFT + WIDE], power[CHANNELS][FV_CVVDP_GROUP][WIDE];
    float sum[CHANNELS][WIDE]; /* sums over a group of rows */
} Scratch;
_Static_assert(sizeof(Scratch) <= sizeof(float) * 340 * (FV_CVVDP_TILE + 64), "fv_cvvdp_work_floats has room for it");

/* The columns that the kernels of a tile read; x0 is even. */
typedef struct Columns {
    int x0, x1;
} Columns;

/* For each channel, the table's value at the node of each lane, and the increase to the next node. */
typedef struct Nodes {
    fv_f32 of[2 * CHANNELS];
} Nodes;

#if FV_LANES == 4

/* Transposes four vectors of four. */
FV_FN void turn(const fv_f32 row[4], fv_f32 to[4])
{
    fv_f32 a = FV_VDM_JOIN(row[0], row[2], 0), b = FV_VDM_JOIN(row[0], row[2], 2);
    fv_f32 c = FV_VDM_JOIN(row[1], row[3], 0), d = FV_VDM_JOIN(row[1], row[3], 2);
    to[0] = FV_VDM_JOIN(a, c, 0);
    to[1] = FV_VDM_JOIN(a, c, 2);
    to[2] = FV_VDM_JOIN(b, d, 0);
    to[3] = FV_VDM_JOIN(b, d, 2);
}

FV_FN Nodes look_up(const float (*nodes)[CHANNELS][2], fv_i32 index)
{
    Nodes found;
    for (int half = 0; half < 2; half++) {
        fv_f32 row[4];
        for (int lane = 0; lane < 4; lane++)
            row[lane] = FV_LOAD(fv_f32, nodes[index[lane]][2 * half]);
        turn(row, found.of + 4 * half);
    }
    return found;
}

#else

typedef float Eight __attribute__((vector_size(32)));

/* Transposes eight vectors of eight. */
FV_FN void turn(const Eight row[8], Eight to[8])
{
    Eight a[8], b[8];
    FV_UNROLL
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    FV_UNROLL
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; k++) {
            b[i + 2 * k] = __builtin_shufflevector(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + 2 * k + 1] = __builtin_shufflevector(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    FV_UNROLL
    for (int i = 0; i < 4; i++) {
        to[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        to[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

FV_FN Nodes look_up(const float (*nodes)[CHANNELS][2], fv_i32 index)
{
    Nodes found;
    int32_t at[FV_LANES];
    FV_STORE(at, index);
    Eight part[FV_LANES / 8][8];
    for (int half = 0; half < FV_LANES / 8; half++) {
        Eight row[8];
        FV_UNROLL
        for (int lane = 0; lane < 8; lane++)
            row[lane] = FV_LOAD(Eight, nodes[at[8 * half + lane]]);
        turn(row, part[half]);
    }
    FV_UNROLL
    for (int i = 0; i < 8; i++)
#if FV_LANES == 16
        found.of[i] = fv_join_f32((fv_f32_half)part[0][i], (fv_f32_half)part[1][i]);
#else
        found.of[i] = (fv_f32)part[0][i];
#endif
    return found;
}

#endif

/* Writes the contrasts of row y to the rings. */
FV_FN void take_row(const FvCvvdpTile *tile, Columns columns, int y, int channels, Scratch *scratch)
{
    const int slot = y & (RING - 1);
    const float *fine[FV_CVVDP_PLANES];
    const ptrdiff_t ahead = 2 * tile->fine->stride;
    for (int i = 0; i < 2 * channels; i++) {
        expand_row(&tile->coarse[i], columns.x0, columns.x1, y, scratch->mean[i]);
        fine[i] = fv_vdm_row(&tile->fine[i], y) + columns.x0;
    }
    for (int x = 0; x < columns.x1 - columns.x0; x += FV_LANES) {
        fv_f32 luminance[2], inverse[2];
        for (int p = 0; p < 2; p++) {
            luminance[p] = fv_cvvdp_luminance(FV_LOAD(fv_f32, scratch->mean[p] + x));
            inverse[p] = fv_vdm_inverse(luminance[p]);
        }
        fv_u32 place = fv_cvvdp_place(luminance[1]);
        Nodes nodes = look_up(tile->nodes, (fv_i32)(place >> 18));
        fv_f32 share = fv_cvvdp_share(place);
        FV_UNROLL
        for (int c = 0; c < channels; c++) {
            fv_f32 s = nodes.of[2 * c] + share * nodes.of[2 * c + 1], coded[2];
            for (int p = 0; p < 2; p++)
                __builtin_prefetch(fine[2 * c + p] + ahead + x);
            for (int p = 0; p < 2; p++)
                coded[p] = fv_cvvdp_contrast(FV_LOAD(fv_f32, fine[2 * c + p] + x),
                                             FV_LOAD(fv_f32, scratch->mean[2 * c + p] + x), inverse[p], s);
            FV_STORE(scratch->difference[c][slot] + x, fv_abs_f32(coded[0] - coded[1]));
            FV_STORE(scratch->mask[c][slot] + x, fv_min_f32(fv_abs_f32(coded[0]), fv_abs_f32(coded[1])));
        }
    }
}

/* Blurs row y of a channel's mask down its columns, and reflects it at the sides of the frame. */
FV_FN void blur_down(const FvCvvdpTile *tile, Columns columns, int y, float ring[RING][WIDE], float *to)
{
    const float *tap = tile->masking->blur, *above[REACH + 1], *below[REACH + 1];
    const int width = tile->fine->width, height = tile->fine->height, end = columns.x1 - columns.x0;
    for (int k = 0; k <= REACH; k++) {
        above[k] = ring[fv_mirror(y - k, height) & (RING - 1)];
        below[k] = ring[fv_mirror(y + k, height) & (RING - 1)];
    }
    for (int x = 0; x < end; x += FV_LANES) {
        fv_f32 s = tap[0] * FV_LOAD(fv_f32, above[0] + x);
        FV_UNROLL
        for (int k = 1; k <= REACH; k++)
            s = s + tap[k] * (FV_LOAD(fv_f32, above[k] + x) + FV_LOAD(fv_f32, below[k] + x));
        FV_STORE(to + x, s);
    }
    for (int k = 1; k <= REACH; k++) {
        if (!columns.x0)
            to[-k] = to[k];
        if (columns.x1 == width)
            to[end - 1 + k] = to[end - 1 - k];
    }
}

/* Computes the contribution of row y of a channel to the masks. */
FV_FN void mask_row(const FvCvvdpTile *tile, Columns columns, int y, int c, bool blurred, Scratch *scratch)
{
    const FvCvvdpMasking *m = tile->masking;
    const int first = tile->x - columns.x0;
    const float *row = scratch->mask[c][y & (RING - 1)] + first;
    float *to = scratch->power[c][y % FV_CVVDP_GROUP];
    if (blurred) {
        blur_down(tile, columns, y, scratch->mask[c], scratch->blurred + LEFT);
        row = scratch->blurred + LEFT + first;
    }
    for (int x = 0; x < tile->width; x += CHAINS * FV_LANES) {
        fv_f32 s[CHAINS];
        FV_UNROLL
        for (int i = 0; i < CHAINS; i++) {
            const float *at = row + x + i * FV_LANES;
            s[i] = FV_LOAD(fv_f32, at);
            if (blurred) {
                s[i] = m->blur[0] * s[i];
                FV_UNROLL
                for (int k = 1; k <= REACH; k++)
                    s[i] = s[i] + m->blur[k] * (FV_LOAD(fv_f32, at - k) + FV_LOAD(fv_f32, at + k));
            }
        }
        FV_UNROLL
        for (int i = 0; i < CHAINS; i++)
            s[i] = fv_cvvdp_grow(s[i] * m->gain, m->q[c], m->zero_q[c]);
        FV_UNROLL
        for (int i = 0; i < CHAINS; i++)
            FV_STORE(to + x + i * FV_LANES, s[i]);
    }
}

static void draw(const FvCvvdpTile *tile, const fv_f32 *difference, int x, int y)
{
    const FvCvvdpMap *map = tile->map;
    fv_f32 s = fv_cvvdp_fourth(difference[0], map->weight[0], map->zero_fourth);
    for (int c = 1; c < tile->channels; c++)
        s = s + fv_cvvdp_fourth(difference[c], map->weight[c], map->zero_fourth);
    fv_f32 n = tile->share * fv_cvvdp_grow(s, 0.25f, map->zero_root);
    const int left = tile->width - x;
    memcpy(fv_vdm_row(tile->drawn, y) + tile->x + x, &n, sizeof(float) * (size_t)(left < FV_LANES ? left : FV_LANES));
}

/* Adds the differences of row y, whose masks are complete, to the sums of its group of rows. */
FV_FN void add_row(const FvCvvdpTile *tile, Columns columns, int y, int channels, Scratch *scratch)
{
    const FvCvvdpMasking *m = tile->masking;
    const int slot = y & (RING - 1), first = tile->x - columns.x0;
    for (int x = 0; x < tile->width; x += 2 * FV_LANES) {
        fv_f32 power[2][CHANNELS], difference[2][CHANNELS];
        FV_UNROLL
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < 2; i++)
                power[i][c] = FV_LOAD(fv_f32, scratch->power[c][y % FV_CVVDP_GROUP] + x + i * FV_LANES);
        FV_UNROLL
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < 2; i++) {
                fv_f32 mask = m->cross[0][c] * power[i][0];
                FV_UNROLL
                for (int k = 1; k < channels; k++)
                    mask = mask + m->cross[k][c] * power[i][k];
                fv_f32 apart = FV_LOAD(fv_f32, scratch->difference[c][slot] + first + x + i * FV_LANES);
                difference[i][c] = fv_cvvdp_difference(fv_cvvdp_grow(apart, m->p, m->zero_p), mask, m->ceiling);
            }
        FV_UNROLL
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < 2; i++) {
                fv_f32 square = fv_cvvdp_square(difference[i][c]);
                float *sum = scratch->sum[c] + x + i * FV_LANES;
                FV_STORE(sum, y % FV_CVVDP_GROUP ? FV_LOAD(fv_f32, sum) + square : square);
            }
        for (int i = 0; tile->drawn && i < 2 && x + i * FV_LANES < tile->width; i++)
            draw(tile, difference[i], x + i * FV_LANES, y);
    }
}

FV_FN void add_group(const FvCvvdpTile *tile, const float *sum, FvCvvdpSum *to)
{
    fv_u64 limbs[2] = {{0}, {0}};
    for (int x = 0; x < tile->width; x += FV_LANES) {
        fv_mask inside = fv_lane_index() < tile->width - x;
        fv_f32 t = FV_LOAD(fv_f32, sum + x) * 1024.0f;
        for (int i = 0; i < 2; i++) {
            fv_i32 n = fv_i32_from_f32(t);
            fv_u64 words = (fv_u64)(n & inside);
            limbs[i] += (words & 0xffffffffu) + (words >> 32);
            t = (t - fv_f32_from_i32(n)) * 1073741824.0f;
        }
    }
    for (int i = 0; i < 2; i++)
        for (int lane = 0; lane < FV_LANES / 2; lane++)
            to->limb[i] += limbs[i][lane];
}

FV_FN void do_tile(const FvCvvdpTile *tile, int channels, FvCvvdpSum *sums, Scratch *scratch)
{
    const int width = tile->fine->width, height = tile->fine->height, end = tile->y + tile->height;
    Columns columns = {tile->x ? tile->x - EDGE : 0, tile->x + tile->width + EDGE};
    columns.x1 = columns.x1 < width ? columns.x1 : width;
    const bool blurred = width > REACH && height > REACH;
    int taken = tile->y < REACH ? 0 : tile->y - REACH;
    for (int first = tile->y; first < end; first += FV_CVVDP_GROUP) {
        const int last = first + FV_CVVDP_GROUP < end ? first + FV_CVVDP_GROUP : end;
        for (; taken < last + REACH && taken < height; taken++)
            take_row(tile, columns, taken, channels, scratch);
        for (int c = 0; c < channels; c++)
            for (int y = first; y < last; y++)
                if (blurred)
                    mask_row(tile, columns, y, c, true, scratch);
                else
                    mask_row(tile, columns, y, c, false, scratch);
        for (int y = first; y < last; y++)
            add_row(tile, columns, y, channels, scratch);
        for (int c = 0; c < channels; c++)
            add_group(tile, scratch->sum[c], &sums[c]);
    }
}

static void tile(const FvCvvdpTile *tile, FvCvvdpSum *sums, float *work)
{
    if (tile->channels == CHANNELS)
        do_tile(tile, CHANNELS, sums, (Scratch *)(void *)work);
    else
        do_tile(tile, 3, sums, (Scratch *)(void *)work);
}

/* ---- Map ---------------------------------------------------------------------------------------------------- */

static void add(const FvVdmPlane *coarse, int row, int rows, const FvCvvdpMap *map, const FvVdmPlane *sum,
                float *work)
{
    float *mean = work;
    for (int y = row; y < row + rows; y++) {
        float *to = fv_vdm_row(sum, y);
        expand_row(coarse, 0, sum->width, y, mean);
        for (int x = 0; x < sum->width; x += FV_LANES) {
            const int left = sum->width - x;
            const size_t bytes = sizeof(float) * (size_t)(left < FV_LANES ? left : FV_LANES);
            fv_f32 band = {0};
            memcpy(&band, to + x, bytes);
            fv_f32 m = FV_LOAD(fv_f32, mean + x) + band;
            if (map)
                m = fv_cvvdp_jod(m, map->slope, map->scale, map->exponent);
            memcpy(to + x, &m, bytes);
        }
    }
}

const FvCvvdpKernels FV_ISA_STRUCT(fv_cvvdp_kernels) = {
    .opponent = opponent, .filter = filter, .reduce = reduce, .tile = tile, .add = add};
