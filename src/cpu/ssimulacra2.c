/*
 * SSIMULACRA 2 for one instruction set: computes a tile of a level in groups of rows, from light to sums while the
 * rows are in cache.
 */
#include "cpu/ssimulacra2.h"

#include "cpu/simd.h"

#include "arith/ssimulacra2.h"

#define EDGE FV_SS2_REACH
#define TILE FV_SS2_TILE
#define SIDE (TILE + 2 * EDGE)
#define WIDE (SIDE + FV_LANES) /* floats of a row, with room for vectors that run past the end */
/* Rows of a ring: a group, and the rows that its filters read above and below it. */
#define RING 16
/* Blurred planes: both frames' channel, the square of their difference, their product. */
#define KINDS 4

/* A needed channel of the reference in a tile's analysis. */
typedef struct Kept {
    float row[SIDE][WIDE]; /* rows with EDGE samples on each side */
    float mean[TILE][TILE];
} Kept;

_Static_assert(sizeof(Kept) <= FV_SS2_KEPT_FLOATS * sizeof(float), "a tile's analysis holds its channels");

typedef struct Scratch {
    float light[2][2][3][WIDE]; /* light of an even and an odd row, of both frames */
    float cone[3][WIDE];        /* the cone responses l, m, s */
    float channel[2][FV_SS2_CHANNELS][WIDE], square[WIDE], product[WIDE];
    float ring[FV_SS2_CHANNELS][KINDS][RING][TILE];
    float centre[FV_SS2_CHANNELS][2][RING][TILE];
} Scratch;

/* ---- Linear light ------------------------------------------------------------------------------------------- */

/* Computes a row of the next level from two rows of light, which start at the tile's first column. */
static void halve_row(const FvSs2Tile *tile, int p, int y, const float *const top[3], const float *const bottom[3])
{
    int width = tile->x1 - tile->x0;
    for (int c = 0; c < 3; c++) {
        const float *a = top[c], *b = bottom[c];
        float *out = tile->half[p][c] + y * tile->half_stride + tile->x0 / 2;
        for (int x = 0; x < width / 2; x++)
            out[x] = FV_LIGHT_HALF(a[2 * x], a[2 * x + 1], b[2 * x], b[2 * x + 1]);
        if (width % 2)
            out[width / 2] = FV_LIGHT_HALF(a[width - 1], a[width - 1], b[width - 1], b[width - 1]);
    }
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

FV_FN void blur_row(const float *from, float *to, int width)
{
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 a0 = FV_LOAD(fv_f32, from + x + EDGE);
        fv_f32 a1 = FV_LOAD(fv_f32, from + x + EDGE - 1) + FV_LOAD(fv_f32, from + x + EDGE + 1);
        fv_f32 a2 = FV_LOAD(fv_f32, from + x + EDGE - 2) + FV_LOAD(fv_f32, from + x + EDGE + 2);
        fv_f32 a3 = FV_LOAD(fv_f32, from + x + EDGE - 3) + FV_LOAD(fv_f32, from + x + EDGE + 3);
        fv_f32 a4 = FV_LOAD(fv_f32, from + x + EDGE - 4) + FV_LOAD(fv_f32, from + x + EDGE + 4);
        FV_STORE(to + x, FV_SS2_BLUR(a0, a1, a2, a3, a4));
    }
}

/* Computes the cone responses l, m and, for channel B, s of a row of light. */
FV_FN void cones(const FvSs2Tile *tile, const float *const light[3], int width, float cone[3][WIDE])
{
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 r = FV_LOAD(fv_f32, light[0] + x), g = FV_LOAD(fv_f32, light[1] + x),
               b = FV_LOAD(fv_f32, light[2] + x);
        FV_STORE(cone[0] + x, fv_ss2_long(r, g, b));
        FV_STORE(cone[1] + x, fv_ss2_middle(r, g, b));
        if (tile->wanted[2])
            FV_STORE(cone[2] + x, fv_ss2_short(r, g, b));
    }
}

FV_FN void channel_of_cones(float cone[3][WIDE], int c, int width, float *out)
{
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 l = FV_LOAD(fv_f32, cone[0] + x), m = FV_LOAD(fv_f32, cone[1] + x), value;
        if (c == 0)
            value = FV_SS2_X(l, m);
        else if (c == 1)
            value = FV_SS2_Y(l, m);
        else
            value = FV_SS2_B(l, m, FV_LOAD(fv_f32, cone[2] + x));
        FV_STORE(out + x, value);
    }
}

/* Sets the samples outside the frame to 0. */
static void clear_outside(float *row, int from, int to)
{
    for (int x = 0; x < from; x++)
        row[x] = 0;
    for (int x = to; x < WIDE; x++)
        row[x] = 0;
}

static void clear_slot(const FvSs2Tile *tile, int slot, Scratch *scratch)
{
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        for (int kind = 0; tile->wanted[c] && kind < KINDS; kind++)
            memset(scratch->ring[c][kind][slot], 0, sizeof scratch->ring[c][kind][slot]);
}

/*
 * Computes the light of row y from column x0 on, and a row of the next level when a pair of the tile's rows is
 * complete.
 */
FV_FN void light_of_row(const FvSs2Tile *tile, int p, int x0, int x1, int y, Scratch *scratch, const float *light[3])
{
    const FvSs2Picture *picture = &tile->picture[p];
    const float *top[3], *bottom[3];
    int first = tile->x0 - x0, above = y & 1 ? -1 : 0;
    for (int c = 0; c < 3; c++) {
        light[c] =
            tile->sample_bytes ? scratch->light[y & 1][p][c] : picture->light[c] + y * picture->light_stride + x0;
        bottom[c] = light[c] + first;
        top[c] = tile->sample_bytes ? scratch->light[0][p][c] + first : bottom[c] + above * picture->light_stride;
    }
    if (tile->sample_bytes)
        (tile->sample_bytes == 1 ? FV_ISA_STRUCT(fv_light_kernels).row8 : FV_ISA_STRUCT(fv_light_kernels).row16)(
            tile->light, picture->sample, picture->sample_stride, x0, x1, y,
            (float *const[3]){scratch->light[y & 1][p][0], scratch->light[y & 1][p][1], scratch->light[y & 1][p][2]});
    if (tile->half[p][0] && y >= tile->y0 && y < tile->y1 && (y & 1 || y == tile->height - 1))
        halve_row(tile, p, y / 2, top, bottom);
}

/* Computes the needed channels of row y of a frame. The first column is EDGE columns before the tile. */
FV_FN void channels_of_row(const FvSs2Tile *tile, int p, int y, Scratch *scratch, float *const channel[])
{
    int first = tile->x0 - EDGE, x0 = first < 0 ? 0 : first;
    int x1 = tile->x1 + EDGE < tile->width ? tile->x1 + EDGE : tile->width;
    const float *light[3];
    light_of_row(tile, p, x0, x1, y, scratch, light);
    cones(tile, light, x1 - x0, scratch->cone);
    FV_UNROLL
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        if (tile->wanted[c]) {
            channel_of_cones(scratch->cone, c, x1 - x0, channel[c] + x0 - first);
            clear_outside(channel[c], x0 - first, x1 - first);
        }
}

/* Returns the channel in the tile's analysis, or NULL if there is no analysis. */
static Kept *kept_of(const FvSs2Tile *tile, int c)
{
    Kept *kept = (Kept *)(void *)tile->analysis;
    for (int before = 0; kept && before < c; before++)
        kept += tile->wanted[before] != 0;
    return kept;
}

/* Finds where the needed channels of row y go, or where the analysis has them. */
static void find_rows(const FvSs2Tile *tile, int p, int y, Scratch *scratch, float *row[])
{
    for (int c = 0; c < FV_SS2_CHANNELS; c++) {
        row[c] = scratch->channel[p][c];
        if (!p && tile->analysis && tile->wanted[c])
            row[c] = kept_of(tile, c)->row[y - tile->y0 + EDGE];
    }
}

/* Adds row y and its surroundings to the rings. The row may be outside the frame. */
FV_FN void take_row(const FvSs2Tile *tile, int y, Scratch *scratch)
{
    int slot = y & (RING - 1), width = tile->x1 - tile->x0;
    if (y < 0 || y >= tile->height) {
        clear_slot(tile, slot, scratch);
        return;
    }
    const int first = tile->analysis ? 1 : 0;
    float *channel[2][FV_SS2_CHANNELS];
    find_rows(tile, 0, y, scratch, channel[0]);
    find_rows(tile, 1, y, scratch, channel[1]);
    for (int p = first; p < 2; p++)
        channels_of_row(tile, p, y, scratch, channel[p]);
    for (int c = 0; c < FV_SS2_CHANNELS; c++) {
        if (!tile->wanted[c])
            continue;
        for (int p = first; p < 2; p++) {
            blur_row(channel[p][c], scratch->ring[c][p][slot], width);
            memcpy(scratch->centre[c][p][slot], channel[p][c] + EDGE, (size_t)width * sizeof(float));
        }
        const float *ref = channel[0][c], *dis = channel[1][c];
        for (int x = 0; x < SIDE; x += FV_LANES) {
            fv_f32 a = FV_LOAD(fv_f32, ref + x), b = FV_LOAD(fv_f32, dis + x);
            FV_STORE(scratch->square + x, (a - b) * (a - b));
            FV_STORE(scratch->product + x, a * b);
        }
        blur_row(scratch->square, scratch->ring[c][2][slot], width);
        blur_row(scratch->product, scratch->ring[c][3][slot], width);
    }
}

/* ---- Differences -------------------------------------------------------------------------------------------- */

FV_FN fv_f32 blur_column(float ring[RING][TILE], int x, int y)
{
#define ROW(k) FV_LOAD(fv_f32, ring[(y + (k)) & (RING - 1)] + x)
    return FV_SS2_BLUR(ROW(0), ROW(-1) + ROW(1), ROW(-2) + ROW(2), ROW(-3) + ROW(3), ROW(-4) + ROW(4));
#undef ROW
}

typedef struct Kinds {
    fv_f32 of[3]; /* dissimilarity, ringing, blur */
} Kinds;

/* Returns the differences at (x, y) of channel c; top: the tile's first row. */
FV_FN Kinds differences(const Kept *kept, int top, Scratch *scratch, int c, int x, int y, bool unlike, bool edges)
{
    Kinds kinds;
    fv_f32 ma = kept ? FV_LOAD(fv_f32, kept->mean[y - top] + x) : blur_column(scratch->ring[c][0], x, y);
    fv_f32 mb = blur_column(scratch->ring[c][1], x, y);
    kinds.of[0] = kinds.of[1] = kinds.of[2] = ma;
    if (unlike)
        kinds.of[0] =
            fv_ss2_unlike(ma, mb, blur_column(scratch->ring[c][2], x, y), blur_column(scratch->ring[c][3], x, y));
    if (edges) {
        int slot = y & (RING - 1);
        const float *a = kept ? kept->row[y - top + EDGE] + EDGE : scratch->centre[c][0][slot];
        fv_f32 edge = fv_ss2_edge(FV_LOAD(fv_f32, a + x), FV_LOAD(fv_f32, scratch->centre[c][1][slot] + x), ma, mb);
        kinds.of[1] = fv_ss2_limited(edge);
        kinds.of[2] = fv_ss2_limited(0.0f - edge);
    }
    return kinds;
}

typedef struct Limbs {
    fv_u64 of[3];
} Limbs;

FV_FN void add_limbs(Limbs *limbs, fv_f32 s, fv_mask inside)
{
    fv_f32 t = s * 2048.0f;
    for (int i = 0; i < 3; i++) {
        fv_i32 n = fv_i32_from_f32(t);
        fv_u64 words = (fv_u64)(n & inside);
        limbs->of[i] += (words & 0xffffffffu) + (words >> 32);
        t = (t - fv_f32_from_i32(n)) * 1073741824.0f;
    }
}

/* Adds the needed sums of one channel over a group of rows. */
FV_FN void add_group(const FvSs2Tile *tile, Scratch *scratch, int c, int y0, int y1, Limbs limbs[FV_SS2_TERMS],
                     bool unlike, bool edges)
{
    const unsigned wanted = tile->wanted[c];
    const Kept *kept = kept_of(tile, c);
    int width = tile->x1 - tile->x0;
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 s[FV_SS2_TERMS];
        for (int term = 0; term < FV_SS2_TERMS; term++)
            s[term] = fv_splat_f32(0.0f);
        for (int y = y0; y < y1; y++) {
            Kinds kinds = differences(kept, tile->y0, scratch, c, x, y, unlike, edges);
            for (int k = unlike ? 0 : 1; k < (edges ? 3 : 1); k++) {
                fv_f32 square = kinds.of[k] * kinds.of[k];
                s[k] = s[k] + kinds.of[k];
                s[3 + k] = s[3 + k] + square * square;
            }
        }
        fv_mask inside = fv_lane_index() < width - x;
        for (int term = 0; term < FV_SS2_TERMS; term++)
            if (wanted >> term & 1)
                add_limbs(&limbs[term], s[term], inside);
    }
}

static void map_group(const FvSs2Tile *tile, Scratch *scratch, int c, int y0, int y1)
{
    const Kept *kept = kept_of(tile, c);
    int width = tile->x1 - tile->x0;
    for (int y = y0; y < y1; y++) {
        float *row = tile->map + y * tile->map_stride + tile->x0;
        for (int x = 0; x < width; x += FV_LANES) {
            Kinds kinds = differences(kept, tile->y0, scratch, c, x, y, true, true);
            float sum[FV_LANES] = {0};
            int count = width - x < FV_LANES ? width - x : FV_LANES;
            memcpy(sum, row + x, (size_t)count * sizeof *sum);
            fv_f32 m = FV_LOAD(fv_f32, sum);
            for (int k = 0; k < 3; k++)
                if (tile->gain[c][k] != 0)
                    m = m + tile->gain[c][k] * kinds.of[k];
            FV_STORE(sum, m);
            memcpy(row + x, sum, (size_t)count * sizeof *sum);
        }
    }
}

static void begin_map(const FvSs2Tile *tile, int y0, int y1)
{
    for (int y = y0; y < y1; y++)
        for (int x = tile->x0; x < tile->x1; x++)
            tile->map[y * tile->map_stride + x] =
                tile->coarser ? tile->coarser[(y >> 1) * tile->coarser_stride + (x >> 1)] : 0;
}

static __attribute__((noinline)) void add_groups(const FvSs2Tile *tile, Scratch *scratch, int c, int y0, int y1,
                                                 Limbs limbs[FV_SS2_TERMS])
{
    bool unlike = tile->wanted[c] & 0x09, edges = tile->wanted[c] & 0x36;
    if (unlike && edges)
        add_group(tile, scratch, c, y0, y1, limbs, true, true);
    else if (unlike)
        add_group(tile, scratch, c, y0, y1, limbs, true, false);
    else
        add_group(tile, scratch, c, y0, y1, limbs, false, true);
}

static void measure(const FvSs2Tile *tile, FvSs2Sum sums[FV_SS2_CHANNELS][FV_SS2_TERMS], void *memory)
{
    Scratch *scratch = memory;
    Limbs limbs[FV_SS2_CHANNELS][FV_SS2_TERMS];
    memset(limbs, 0, sizeof limbs);
    int taken = tile->y0 - EDGE; /* rows before `taken` are in the rings */
    for (int y0 = tile->y0; y0 < tile->y1; y0 += FV_SS2_GROUP) {
        int y1 = y0 + FV_SS2_GROUP < tile->y1 ? y0 + FV_SS2_GROUP : tile->y1;
        while (taken < y1 + EDGE)
            take_row(tile, taken++, scratch);
        if (tile->map)
            begin_map(tile, y0, y1);
        for (int c = 0; c < FV_SS2_CHANNELS; c++)
            if (tile->wanted[c] && tile->map)
                map_group(tile, scratch, c, y0, y1);
            else if (tile->wanted[c])
                add_groups(tile, scratch, c, y0, y1, limbs[c]);
    }
    for (int c = 0; c < FV_SS2_CHANNELS; c++)
        for (int term = 0; term < FV_SS2_TERMS; term++)
            for (int i = 0; i < 3; i++)
                for (int lane = 0; lane < FV_LANES / 2; lane++)
                    sums[c][term].limb[i] += limbs[c][term].of[i][lane];
}

static void analyse(const FvSs2Tile *tile, void *memory)
{
    Scratch *scratch = memory;
    const int width = tile->x1 - tile->x0;
    for (int y = tile->y0 - EDGE; y < tile->y1 + EDGE; y++) {
        const bool inside = y >= 0 && y < tile->height;
        const int slot = y & (RING - 1), done = y - EDGE;
        float *row[FV_SS2_CHANNELS];
        find_rows(tile, 0, y, scratch, row);
        if (inside)
            channels_of_row(tile, 0, y, scratch, row);
        else
            clear_slot(tile, slot, scratch);
        for (int c = 0; c < FV_SS2_CHANNELS; c++) {
            if (tile->wanted[c] && inside)
                blur_row(row[c], scratch->ring[c][0][slot], width);
            for (int x = 0; tile->wanted[c] && done >= tile->y0 && x < width; x += FV_LANES)
                FV_STORE(kept_of(tile, c)->mean[done - tile->y0] + x, blur_column(scratch->ring[c][0], x, done));
        }
    }
}

const FvSs2Kernels FV_ISA_STRUCT(fv_ss2_kernels) = {
    .analyse = analyse, .measure = measure, .scratch_bytes = sizeof(Scratch)};
