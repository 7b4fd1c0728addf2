/* SSIMULACRA 2, the reference: computes a tile of a level, one step after the other. */
#include "arith/scalar.h"

#include "arith/ssimulacra2.h"
#include "cpu/border.h"
#include "cpu/ssimulacra2.h"

#define EDGE FV_SS2_REACH
#define SIDE (FV_SS2_TILE + 2 * EDGE)

/* One of the channels X, Y, B of a tile and its surroundings; 0 outside the frame. */
typedef float Channel[SIDE][FV_SS2_ROW];

typedef struct Scratch {
    Channel made[2][FV_SS2_CHANNELS];
    Channel *channel[2][FV_SS2_CHANNELS];
    /* Both frames' channel, the squared differences, and the products, blurred along rows. */
    float rows[4][SIDE][FV_SS2_TILE];
} Scratch;

static void light_at(const FvSs2Tile *tile, int p, int x, int y, float rgb[3])
{
    if (tile->sample_bytes)
        (tile->sample_bytes == 1 ? fv_light_kernels_scalar.row8 : fv_light_kernels_scalar.row16)(
            tile->light, tile->picture[p].sample, tile->picture[p].sample_stride, x, x + 1, y,
            (float *const[3]){&rgb[0], &rgb[1], &rgb[2]});
    else
        for (int c = 0; c < 3; c++)
            rgb[c] = tile->picture[p].light[c][y * tile->picture[p].light_stride + x];
}

static void halve_tile(const FvSs2Tile *tile, int p)
{
    for (int y = tile->y0 / 2; y < (tile->y1 + 1) / 2; y++)
        for (int x = tile->x0 / 2; x < (tile->x1 + 1) / 2; x++) {
            float four[2][2][3];
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 2; i++)
                    light_at(tile, p, fv_clamp(2 * x + i, tile->width), fv_clamp(2 * y + j, tile->height),
                             four[j][i]);
            for (int c = 0; c < 3; c++)
                tile->half[p][c][y * tile->half_stride + x] =
                    FV_LIGHT_HALF(four[0][0][c], four[0][1][c], four[1][0][c], four[1][1][c]);
        }
}

static void convert_tile(const FvSs2Tile *tile, int p, Channel *const channel[FV_SS2_CHANNELS])
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int x = tile->x0 - EDGE + i, y = tile->y0 - EDGE + j;
            float rgb[3], xyb[3] = {0, 0, 0};
            if (x >= 0 && x < tile->width && y >= 0 && y < tile->height) {
                light_at(tile, p, x, y, rgb);
                float l = fv_ss2_long(rgb[0], rgb[1], rgb[2]), m = fv_ss2_middle(rgb[0], rgb[1], rgb[2]);
                float s = fv_ss2_short(rgb[0], rgb[1], rgb[2]);
                xyb[0] = FV_SS2_X(l, m);
                xyb[1] = FV_SS2_Y(l, m);
                xyb[2] = FV_SS2_B(l, m, s);
            }
            for (int c = 0; c < FV_SS2_CHANNELS; c++)
                if (tile->wanted[c])
                    (*channel[c])[j][i] = xyb[c];
        }
    if (tile->half[p][0])
        halve_tile(tile, p);
}

/* Returns a sample to blur, by kind: a, b, the square of their difference, or their product. */
static float signal(const Scratch *scratch, int c, int kind, int i, int j)
{
    float a = (*scratch->channel[0][c])[j][i], b = (*scratch->channel[1][c])[j][i];
    return kind == 0 ? a : kind == 1 ? b : kind == 2 ? (a - b) * (a - b) : a * b;
}

static void blur_rows(Scratch *scratch, int c)
{
    for (int kind = 0; kind < 4; kind++)
        for (int j = 0; j < SIDE; j++)
            for (int x = 0; x < FV_SS2_TILE; x++) {
                float a[5] = {signal(scratch, c, kind, x + EDGE, j)};
                for (int k = 1; k <= EDGE; k++)
                    a[k] = signal(scratch, c, kind, x + EDGE - k, j) + signal(scratch, c, kind, x + EDGE + k, j);
                scratch->rows[kind][j][x] = FV_SS2_BLUR(a[0], a[1], a[2], a[3], a[4]);
            }
}

static float blur(const Scratch *scratch, int kind, int x, int y)
{
    float a[5] = {scratch->rows[kind][y + EDGE][x]};
    for (int k = 1; k <= EDGE; k++)
        a[k] = scratch->rows[kind][y + EDGE - k][x] + scratch->rows[kind][y + EDGE + k][x];
    return FV_SS2_BLUR(a[0], a[1], a[2], a[3], a[4]);
}

/* Computes the three differences: dissimilarity, ringing, blur. x and y are relative to the tile's corner. */
static void differences(const Scratch *scratch, int c, int x, int y, float kinds[3])
{
    float ma = blur(scratch, 0, x, y), mb = blur(scratch, 1, x, y);
    kinds[0] = fv_ss2_unlike(ma, mb, blur(scratch, 2, x, y), blur(scratch, 3, x, y));
    float edge = fv_ss2_edge((*scratch->channel[0][c])[y + EDGE][x + EDGE],
                             (*scratch->channel[1][c])[y + EDGE][x + EDGE], ma, mb);
    kinds[1] = fv_ss2_limited(edge);
    kinds[2] = fv_ss2_limited(0.0f - edge);
}

static void add_to_sum(FvSs2Sum *sum, float s)
{
    float t = s * 2048.0f;
    for (int i = 0; i < 3; i++) {
        int n = (int)t;
        sum->limb[i] += (uint64_t)n;
        t = (t - (float)n) * 1073741824.0f;
    }
}

static void add_column(const FvSs2Tile *tile, const Scratch *scratch, int c, int x, int first, int end,
                       FvSs2Sum sums[FV_SS2_TERMS])
{
    float s[FV_SS2_TERMS] = {0};
    for (int y = first; y < end; y++) {
        float kinds[3];
        differences(scratch, c, x - tile->x0, y - tile->y0, kinds);
        for (int k = 0; k < 3; k++) {
            float square = kinds[k] * kinds[k];
            s[k] = s[k] + kinds[k];
            s[3 + k] = s[3 + k] + square * square;
        }
    }
    for (int term = 0; term < FV_SS2_TERMS; term++)
        if (tile->wanted[c] >> term & 1)
            add_to_sum(&sums[term], s[term]);
}

static void add_to_map(const FvSs2Tile *tile, const Scratch *scratch, int c)
{
    for (int y = tile->y0; y < tile->y1; y++)
        for (int x = tile->x0; x < tile->x1; x++) {
            float kinds[3];
            differences(scratch, c, x - tile->x0, y - tile->y0, kinds);
            for (int k = 0; k < 3; k++)
                if (tile->gain[c][k] != 0)
                    tile->map[y * tile->map_stride + x] += tile->gain[c][k] * kinds[k];
        }
}

/* Finds the channels in the tile's analysis. */
static void find_kept(const FvSs2Tile *tile, Channel *channel[FV_SS2_CHANNELS])
{
    float *next = tile->analysis;
    for (int c = 0; c < FV_SS2_CHANNELS; c++) {
        channel[c] = (Channel *)(void *)next;
        next += tile->wanted[c] ? FV_SS2_KEPT_FLOATS : 0;
    }
}

static void measure(const FvSs2Tile *tile, FvSs2Sum sums[FV_SS2_CHANNELS][FV_SS2_TERMS], void *memory)
{
    Scratch *scratch = memory;
    for (int p = 0; p < 2; p++) {
        for (int c = 0; c < FV_SS2_CHANNELS; c++)
            scratch->channel[p][c] = &scratch->made[p][c];
        if (p == 0 && tile->analysis)
            find_kept(tile, scratch->channel[p]);
        else
            convert_tile(tile, p, scratch->channel[p]);
    }
    for (int y = tile->y0; tile->map && y < tile->y1; y++)
        for (int x = tile->x0; x < tile->x1; x++)
            tile->map[y * tile->map_stride + x] =
                tile->coarser ? tile->coarser[(y >> 1) * tile->coarser_stride + (x >> 1)] : 0;
    for (int c = 0; c < FV_SS2_CHANNELS; c++) {
        if (!tile->wanted[c])
            continue;
        blur_rows(scratch, c);
        if (tile->map) {
            add_to_map(tile, scratch, c);
            continue;
        }
        for (int y = tile->y0; y < tile->y1; y += FV_SS2_GROUP)
            for (int x = tile->x0; x < tile->x1; x++)
                add_column(tile, scratch, c, x, y, y + FV_SS2_GROUP < tile->y1 ? y + FV_SS2_GROUP : tile->y1,
                           sums[c]);
    }
}

static void analyse(const FvSs2Tile *tile, void *scratch)
{
    Channel *channel[FV_SS2_CHANNELS];
    find_kept(tile, channel);
    convert_tile(tile, 0, channel);
}

const FvSs2Kernels fv_ss2_kernels_scalar = {.analyse = analyse, .measure = measure, .scratch_bytes = sizeof(Scratch)};
