/* CIEDE2000 for one instruction set: lanes are neighbouring pixels. */
#include "cpu/ciede.h"

#include "cpu/wide.h"

#include "arith/ciede.h"
#include "arith/fixed.h"

FV_FN fv_i32 load(const void *row, int bytes, int x)
{
    const uint8_t *from = (const uint8_t *)row + x * bytes;
    return bytes == 1 ? fv_i32_from_u8(FV_LOAD(fv_u8_quarter, from)) : fv_i32_from_u16(FV_LOAD(fv_u16_half, from));
}

/* Addresses of the samples of a row of one frame. */
typedef struct Rows {
    const void *luma;
    const uint16_t *chroma[2];
} Rows;

FV_FN FvWide linear(FvWide c)
{
    FvWide base = {{fv_ciede_base(c.half[0]), fv_ciede_base(c.half[1])}};
    FvHalves root = {fv_ciede_root5(fv_narrow(base))};
    for (int i = 0; i < 2; i++)
        c.half[i] = fv_ciede_linear(c.half[i], base.half[i], root.half[i]);
    return c;
}

FV_FN FvHalves compressed(FvWide t)
{
    FvWide clamped = {{fv_ciede_clamped(t.half[0]), fv_ciede_clamped(t.half[1])}};
    FvHalves root = {fv_ciede_root3(fv_narrow(clamped))};
    for (int i = 0; i < 2; i++)
        root.half[i] = fv_ciede_compressed(t.half[i], root.half[i]);
    return root;
}

/* Converts samples, with chroma around 0, to R'G'B'. */
FV_FN void to_rgb(fv_i32 luma, fv_i32 cb, fv_i32 cr, double luma_scale, double chroma_scale, FvWide *r, FvWide *g,
                  FvWide *b)
{
    FvWide y = fv_widen(fv_f32_from_i32(luma)), u = fv_widen(fv_f32_from_i32(cb)), v = fv_widen(fv_f32_from_i32(cr));
    for (int i = 0; i < 2; i++) {
        FvCiedeColour rgb = fv_ciede_rgb(y.half[i] * luma_scale, u.half[i] * chroma_scale, v.half[i] * chroma_scale);
        r->half[i] = rgb.x;
        g->half[i] = rgb.y;
        b->half[i] = rgb.z;
    }
}

FV_FN void to_xyz(FvWide *r, FvWide *g, FvWide *b)
{
    for (int i = 0; i < 2; i++) {
        FvCiedeColour xyz = fv_ciede_xyz(r->half[i], g->half[i], b->half[i]);
        r->half[i] = xyz.x;
        g->half[i] = xyz.y;
        b->half[i] = xyz.z;
    }
}

#define BLOCK 8 /* vectors of pixels per block */

/* The vectors of a block that differ: the colours of both frames. */
typedef struct Block {
    FvWide c[3][2 * BLOCK];
    FvHalves f[3][2 * BLOCK];
    int count;
} Block;

FV_FN void take_block(Block *block, const Rows rows[2], int first, int width, int depth)
{
    const int zero = 1 << (depth - 8), bytes = depth == 8 ? 1 : 2;
    const double luma_scale = 1.0 / (219 * zero), chroma_scale = 1.0 / (224 * zero);
    fv_i32 lane = fv_lane_index();
    int count = 0;
    for (int x = first; x < width && x < first + BLOCK * FV_LANES; x += FV_LANES) {
        fv_i32 sample[2][3];
        for (int i = 0; i < 2; i++) {
            sample[i][0] = load(rows[i].luma, bytes, x) - 16 * zero;
            for (int c = 0; c < 2; c++)
                sample[i][1 + c] = load(rows[i].chroma[c], 2, x) - 128 * zero;
        }
        fv_i32 inside = lane < width - x, differs = {0};
        for (int c = 0; c < 3; c++) {
            sample[1][c] = fv_sel_i32(inside, sample[1][c], sample[0][c]); /* equal colours add 0 to the sum */
            differs |= sample[0][c] ^ sample[1][c];
        }
        if (!fv_any(differs != 0))
            continue;
        for (int i = 0; i < 2; i++)
            to_rgb(sample[i][0], sample[i][1], sample[i][2], luma_scale, chroma_scale, &block->c[0][2 * count + i],
                   &block->c[1][2 * count + i], &block->c[2][2 * count + i]);
        count++;
    }
    block->count = count;
}

/*
 * Adds up a block. Each step runs over all vectors: the steps of one vector depend on each other, but those of
 * different vectors do not.
 */
FV_FN fv_i64 sum_block(const Rows rows[2], int first, int width, int depth, double unit)
{
    Block block;
    take_block(&block, rows, first, width, depth);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2 * block.count; i++)
            block.c[k][i] = linear(block.c[k][i]);
    for (int i = 0; i < 2 * block.count; i++)
        to_xyz(&block.c[0][i], &block.c[1][i], &block.c[2][i]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2 * block.count; i++)
            block.f[k][i] = compressed(block.c[k][i]);
    const int halves = 2 * block.count;
    fv_f64 l[2][2 * BLOCK], a[2][2 * BLOCK], b[2][2 * BLOCK], stretch[2 * BLOCK], hue_weight[2 * BLOCK];
    fv_mask64 grey[2 * BLOCK];
    FvCiedePolar polar[2][2 * BLOCK];
    FvCiedeArc arc[2 * BLOCK];
    FvCiedePixel pixel[2 * BLOCK];
    for (int i = 0; i < halves; i++) {
        fv_f64 chroma[2];
        for (int k = 0; k < 2; k++) {
            const int at = 2 * (i / 2) + k;
            const fv_f32_half x = block.f[0][at].half[i % 2], y = block.f[1][at].half[i % 2],
                              z = block.f[2][at].half[i % 2];
            l[k][i] = fv_f64_from_f32(fv_ciede_lightness(y));
            a[k][i] = fv_f64_from_f32(fv_ciede_opponent(500, x, y));
            b[k][i] = fv_f64_from_f32(fv_ciede_opponent(200, y, z));
            chroma[k] = fv_ciede_root(a[k][i] * a[k][i] + b[k][i] * b[k][i]);
        }
        grey[i] = fv_ciede_grey(chroma[0], chroma[1]);
        stretch[i] = fv_ciede_stretch(chroma[0], chroma[1]);
    }
    for (int i = 0; i < halves; i++)
        for (int k = 0; k < 2; k++)
            polar[k][i] = fv_ciede_polar(a[k][i], b[k][i], stretch[i]);
    for (int i = 0; i < halves; i++) {
        arc[i] = fv_ciede_arc(polar[0][i].hue, polar[1][i].hue);
        hue_weight[i] = fv_ciede_hue_weight(arc[i].mean);
    }
    for (int i = 0; i < halves; i++)
        pixel[i] = fv_ciede_weighted(l[0][i], l[1][i], polar[0][i], polar[1][i], arc[i], hue_weight[i], grey[i]);
    fv_i64 total = {0};
    for (int i = 0; i < halves; i++) {
        fv_f64 rotation = fv_any((fv_mask)pixel[i].rotated) ? fv_ciede_rotation(pixel[i]) : fv_splat_f64(0);
        total += fv_fixed(fv_ciede_difference(pixel[i], rotation), unit);
    }
    return total;
}

static int64_t sum_row(const Rows rows[2], int width, int depth, double unit)
{
    fv_i64 total = {0};
    for (int x = 0; x < width; x += BLOCK * FV_LANES)
        total += sum_block(rows, x, width, depth, unit);
    int64_t sum = 0;
    for (int i = 0; i < FV_LANES64; i++)
        sum += total[i];
    return sum;
}

/* Writes row y of Cb or Cr at the resolution of luma. */
static void spread(const FvCiedePictures *pictures, int picture, int plane, int y, uint16_t *to)
{
    const uint8_t *row = pictures->data[picture][plane] + y / pictures->down * pictures->stride[picture][plane];
    const uint16_t *words = (const uint16_t *)row;
    int width = pictures->width, half = (width + 1) / 2;
    if (pictures->peer_layout)
        for (int x = 0; x < width; x++)
            to[x] = (uint16_t)fv_ciede_peer_sample(pictures, picture, plane, x, y);
    else if (pictures->across == 1 && pictures->depth == 8)
        for (int x = 0; x < width; x++)
            to[x] = row[x];
    else if (pictures->across == 1)
        memcpy(to, row, (size_t)width * 2);
    else if (pictures->depth == 8)
        for (int i = 0; i < half; i++)
            to[2 * i] = to[2 * i + 1] = row[i];
    else
        for (int i = 0; i < half; i++)
            to[2 * i] = to[2 * i + 1] = words[i];
}

static int64_t sum(const FvCiedePictures *pictures, int first, int count, double unit, void *scratch)
{
    size_t pitch = fv_ciede_pitch(pictures->width);
    Rows rows[2];
    int64_t total = 0;
    int held = -1; /* the row of chroma that `scratch` holds */
    for (int y = first; y < first + count; y++) {
        int wanted = pictures->peer_layout ? y : y / pictures->down;
        for (int i = 0; i < 2; i++) {
            rows[i].luma = pictures->data[i][0] + y * pictures->stride[i][0];
            for (int c = 0; c < 2; c++) {
                uint16_t *to = (uint16_t *)scratch + (size_t)(2 * i + c) * pitch;
                rows[i].chroma[c] = to;
                if (held != wanted)
                    spread(pictures, i, 1 + c, y, to);
            }
        }
        held = wanted;
        total += sum_row(rows, pictures->width, pictures->depth, unit);
    }
    return total;
}

const FvCiedeKernels FV_ISA_STRUCT(fv_ciede_kernels) = {.sum = sum};
