/* ColorVideoVDP, the reference: sample by sample. */
#include "arith/scalar.h"

#include "arith/cvvdp.h"
#include "cpu/border.h"
#include "cpu/cvvdp.h"

static void opponent(const FvCvvdpOpponent *opponent, const float *const light[3], int columns, float *const to[3],
                     ptrdiff_t step)
{
    for (int x = 0; x < columns; x++) {
        FvCvvdpLight at = {light[0][x], light[1][x], light[2][x]};
        if (opponent->hlg)
            at = fv_cvvdp_hlg(at, opponent->gamma_1, opponent->exposure, opponent->span, opponent->base);
        for (int i = 0; i < 3; i++)
            to[i][x / FV_CVVDP_BLOCK * step + x % FV_CVVDP_BLOCK] = FV_CVVDP_OPPONENT(opponent->matrix[i], at);
    }
}

/* Returns the sum of the taps before `end`. centre: the frame's entry in the `order` of filter(). */
static float filtered(const float *tap, const FvCvvdpBlock *blocks, const ptrdiff_t *centre, int end, int picture,
                      int plane, int at)
{
    float y = tap[0] * blocks[*centre][picture][plane][at];
    for (int k = 1; k < end; k++)
        y = y + tap[k] * (blocks[centre[-k]][picture][plane][at] + blocks[centre[k]][picture][plane][at]);
    return y;
}

static void filter(const FvCvvdpTime *time, const FvCvvdpBlock *row, const ptrdiff_t *order, int columns,
                   float *const *to, FvCvvdpBegun *next, bool begun)
{
    const int half = time->half;
    for (int x = 0; x < columns; x++) {
        const FvCvvdpBlock *blocks = row + x / FV_CVVDP_BLOCK;
        const int at = x % FV_CVVDP_BLOCK;
        for (int i = 0; i < FV_CVVDP_PLANES; i++) {
            const float *tap = time->tap[i / 2];
            const int picture = i % 2, plane = i / 2 % 3;
            if (to)
                to[i][x] = filtered(tap, blocks, order + half, half + 1, picture, plane, at);
            if (!begun)
                next[x / FV_CVVDP_BLOCK][i][at] = filtered(tap, blocks, order + half + 1, half, picture, plane, at);
        }
    }
}

/* ---- Pyramid ------------------------------------------------------------------------------------------------ */

static float reduced_down(const FvVdmPlane *from, int x, int y)
{
    float near[5];
    for (int i = 0; i < 5; i++)
        near[i] = fv_vdm_row(from, fv_vdm_mirror(2 * y + i - 2, from->height))[x];
    return FV_CVVDP_REDUCE(near[2], near[1] + near[3], near[0] + near[4]);
}

/* Reduces at (x, y). The values after the last column also depend on the parity of the rows: docs/metrics/cvvdp.md */
static float reduced(const FvVdmPlane *from, int x, int y)
{
    int width = from->width, c = 2 * x;
    float here = reduced_down(from, c, y), right[2];
    float left[2] = {reduced_down(from, fv_vdm_mirror(c - 1, width), y),
                     reduced_down(from, fv_vdm_mirror(c - 2, width), y)};
    bool last = c + 2 >= width, odd = width & 1, odd_rows = from->height & 1;
    for (int i = 0; i < 2; i++)
        right[i] = reduced_down(from, fv_vdm_mirror(c + 1 + i, width), y);
    if (last && odd && !odd_rows) {
        right[1] = right[0];
        right[0] = 0;
    }
    if (last && !odd && odd_rows)
        return FV_CVVDP_REDUCE(here, left[0] + right[0], left[1] + here) + 0.25f * right[0];
    return FV_CVVDP_REDUCE(here, left[0] + right[0], left[1] + right[1]);
}

static void reduce(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work)
{
    for (int y = row; y < row + rows; y++)
        for (int x = 0; x < to->width; x++)
            fv_vdm_row(to, y)[x] = reduced(from, x, y);
}

static float expanded_down(const FvVdmPlane *from, int x, int y)
{
    int i = y >> 1, column = fv_clamp(x, from->width);
    float here = fv_vdm_row(from, i)[column], next = fv_vdm_row(from, fv_clamp(i + 1, from->height))[column];
    return y & 1 ? FV_CVVDP_EXPAND_ODD(here, next)
                 : FV_CVVDP_EXPAND_EVEN(here, fv_vdm_row(from, fv_clamp(i - 1, from->height))[column], next);
}

static float expanded(const FvVdmPlane *from, int x, int y)
{
    int i = x >> 1;
    float here = expanded_down(from, i, y), next = expanded_down(from, i + 1, y);
    return x & 1 ? FV_CVVDP_EXPAND_ODD(here, next) : FV_CVVDP_EXPAND_EVEN(here, expanded_down(from, i - 1, y), next);
}

/* ---- A tile ------------------------------------------------------------------------------------------------- */

/* A tile with its surroundings, limited to the band. */
typedef struct Area {
    int x0, y0, x1, y1;
    float *mask[FV_CVVDP_CHANNELS], *difference[FV_CVVDP_CHANNELS], *blurred;
} Area;

static size_t at(const Area *area, int x, int y)
{
    return (size_t)(y - area->y0) * (size_t)(area->x1 - area->x0) + (size_t)(x - area->x0);
}

static Area area_of(const FvCvvdpTile *tile, float *work)
{
    const int reach = FV_CVVDP_RADIUS, width = tile->fine->width, height = tile->fine->height;
    Area area = {tile->x - reach,
                 tile->y - reach,
                 tile->x + tile->width + reach,
                 tile->y + tile->height + reach,
                 {NULL},
                 {NULL},
                 NULL};
    area.x0 = area.x0 < 0 ? 0 : area.x0;
    area.y0 = area.y0 < 0 ? 0 : area.y0;
    area.x1 = area.x1 > width ? width : area.x1;
    area.y1 = area.y1 > height ? height : area.y1;
    size_t plane = (size_t)(area.x1 - area.x0) * (size_t)(area.y1 - area.y0);
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++) {
        area.mask[c] = work + (size_t)c * plane;
        area.difference[c] = work + (size_t)(FV_CVVDP_CHANNELS + c) * plane;
    }
    area.blurred = work + 2 * FV_CVVDP_CHANNELS * plane;
    return area;
}

static void contrasts(const FvCvvdpTile *tile, const Area *area, int x, int y)
{
    float inverse[2], mean[2];
    for (int p = 0; p < 2; p++) {
        mean[p] = fv_cvvdp_luminance(expanded(&tile->coarse[p], x, y));
        inverse[p] = fv_vdm_inverse(mean[p]);
    }
    uint32_t place = fv_cvvdp_place(mean[1]);
    for (int c = 0; c < tile->channels; c++) {
        const float *node = tile->nodes[place >> 18][c];
        float s = node[0] + fv_cvvdp_share(place) * node[1], coded[2];
        for (int p = 0; p < 2; p++) {
            const FvVdmPlane *fine = &tile->fine[2 * c + p], *coarse = &tile->coarse[2 * c + p];
            coded[p] = fv_cvvdp_contrast(fv_vdm_row(fine, y)[x], expanded(coarse, x, y), inverse[p], s);
        }
        area->difference[c][at(area, x, y)] = fabsf(coded[0] - coded[1]);
        area->mask[c][at(area, x, y)] = fv_min_f32(fabsf(coded[0]), fabsf(coded[1]));
    }
}

static void blur(const FvCvvdpTile *tile, const Area *area, float *plane)
{
    const float *tap = tile->masking->blur;
    int width = tile->fine->width, height = tile->fine->height;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = area->x0; x < area->x1; x++) {
            float s = tap[0] * plane[at(area, x, y)];
            for (int k = 1; k <= FV_CVVDP_RADIUS; k++)
                s = s + tap[k] * (plane[at(area, x, fv_mirror(y - k, height))] +
                                  plane[at(area, x, fv_mirror(y + k, height))]);
            area->blurred[at(area, x, y)] = s;
        }
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            const float *row = area->blurred;
            float s = tap[0] * row[at(area, x, y)];
            for (int k = 1; k <= FV_CVVDP_RADIUS; k++)
                s = s +
                    tap[k] * (row[at(area, fv_mirror(x - k, width), y)] + row[at(area, fv_mirror(x + k, width), y)]);
            plane[at(area, x, y)] = s;
        }
}

static void differences(const FvCvvdpTile *tile, const Area *area, int x, int y)
{
    const FvCvvdpMasking *m = tile->masking;
    float k[FV_CVVDP_CHANNELS];
    size_t n = at(area, x, y);
    for (int c = 0; c < tile->channels; c++)
        k[c] = fv_cvvdp_grow(area->mask[c][n] * m->gain, m->q[c], m->zero_q[c]);
    for (int c = 0; c < tile->channels; c++) {
        float mask = m->cross[0][c] * k[0];
        for (int i = 1; i < tile->channels; i++)
            mask = mask + m->cross[i][c] * k[i];
        float excitation = fv_cvvdp_grow(area->difference[c][n], m->p, m->zero_p);
        area->difference[c][n] = fv_cvvdp_difference(excitation, mask, m->ceiling);
    }
}

static void add_limbs(FvCvvdpSum *sum, float s)
{
    float t = s * 1024.0f;
    for (int i = 0; i < 2; i++) {
        int32_t n = (int32_t)t;
        sum->limb[i] += (uint64_t)n;
        t = (t - (float)n) * 1073741824.0f;
    }
}

static void add_up(const FvCvvdpTile *tile, const Area *area, const float *difference, FvCvvdpSum *sum)
{
    int end = tile->y + tile->height;
    for (int y0 = tile->y; y0 < end; y0 += FV_CVVDP_GROUP)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            float s = fv_cvvdp_square(difference[at(area, x, y0)]);
            for (int y = y0 + 1; y < y0 + FV_CVVDP_GROUP && y < end; y++)
                s = s + fv_cvvdp_square(difference[at(area, x, y)]);
            add_limbs(sum, s);
        }
}

static void draw(const FvCvvdpTile *tile, const Area *area, int x, int y)
{
    const FvCvvdpMap *map = tile->map;
    float s = 0;
    for (int c = 0; c < tile->channels; c++) {
        float v = fv_cvvdp_fourth(area->difference[c][at(area, x, y)], map->weight[c], map->zero_fourth);
        s = c ? s + v : v;
    }
    fv_vdm_row(tile->drawn, y)[x] = tile->share * fv_cvvdp_grow(s, 0.25f, map->zero_root);
}

static void tile(const FvCvvdpTile *tile, FvCvvdpSum *sums, float *work)
{
    Area area = area_of(tile, work);
    for (int y = area.y0; y < area.y1; y++)
        for (int x = area.x0; x < area.x1; x++)
            contrasts(tile, &area, x, y);
    for (int c = 0; c < tile->channels; c++)
        if (tile->fine->width > FV_CVVDP_RADIUS && tile->fine->height > FV_CVVDP_RADIUS)
            blur(tile, &area, area.mask[c]);
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            differences(tile, &area, x, y);
            if (tile->drawn)
                draw(tile, &area, x, y);
        }
    for (int c = 0; c < tile->channels; c++)
        add_up(tile, &area, area.difference[c], &sums[c]);
}

static void add(const FvVdmPlane *coarse, int row, int rows, const FvCvvdpMap *map, const FvVdmPlane *sum,
                float *work)
{
    for (int y = row; y < row + rows; y++)
        for (int x = 0; x < sum->width; x++) {
            float *to = fv_vdm_row(sum, y) + x;
            *to = expanded(coarse, x, y) + *to;
            if (map)
                *to = fv_cvvdp_jod(*to, map->slope, map->scale, map->exponent);
        }
}

const FvCvvdpKernels fv_cvvdp_kernels_scalar = {
    .opponent = opponent, .filter = filter, .reduce = reduce, .tile = tile, .add = add};
