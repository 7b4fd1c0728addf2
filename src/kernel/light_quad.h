/*
 * Linear light of 2x2 neighbouring samples, for kernels that define SAMPLE: 8 or 16 bits in memory. Workgroups have a
 * thread for each 2x2 samples of an area. The threads together interpolate chroma that is subsampled in both
 * directions.
 */
#ifndef FV_KERNEL_LIGHT_QUAD_H
#define FV_KERNEL_LIGHT_QUAD_H

#include "arith/light.h"

FV_STRUCT(Quad)
{
    FvLightColour of[4]; /* top left and right, bottom left and right */
};

#define HALF_OF(quad, component)                                                                                     \
    FV_LIGHT_HALF((quad).of[0].component, (quad).of[1].component, (quad).of[2].component, (quad).of[3].component)

#ifdef SAMPLE

#define C FV_AT(constants, 0)

FV_FN fv_i32 sample_at(fv_u8_p plane, fv_u32 stride, fv_i32 x, fv_i32 y)
{
#if SAMPLE == 8
    return fv_i32(FV_LD_U8(plane, fv_u32(y) * stride + fv_u32(x)));
#else
    return fv_i32(FV_LD_U16(FV_OFFSET(fv_u16_p, plane, fv_u32(y) * stride), x));
#endif
}

FV_STRUCT(Two)
{
    fv_i32 even;
    fv_i32 odd;
};

FV_STRUCT(Matrix)
{
    fv_f32 rv;
    fv_f32 gu;
    fv_f32 gv;
    fv_f32 bu;
};

/* Interpolates chroma row `row` at two luma columns, x (even) and x + 1. */
FV_FN Two across(FvLightConstants_p constants, fv_u8_p plane, fv_u32 stride, fv_i32 x, fv_i32 row)
{
    Two two;
    fv_i32 most = C.chroma_width - 1, y = min(max(row, 0), C.chroma_height - 1);
    if (C.half_width == 0) {
        two.even = sample_at(plane, stride, x, y);
        two.odd = sample_at(plane, stride, min(x + 1, most), y);
        return two;
    }
    two.even = two.odd = 0;
    FV_UNROLL
    for (fv_i32 i = 0; i < 5; i++) {
        fv_i32 n = sample_at(plane, stride, min(max(x / 2 - 2 + i, 0), most), y);
        two.even += C.across[0][i] * n;
        two.odd += C.across[1][i] * n;
    }
    return two;
}

FV_FN fv_f32 on_curve(fv_f32_p curve, fv_f32 v)
{
    fv_f32 t = fv_light_step(v);
    fv_i32 i = fv_i32_from_f32(t);
    return FV_AT(curve, 2 * i) + (t - fv_f32_from_small(i)) * FV_AT(curve, 2 * i + 1);
}

FV_FN FvLightColour light_of(FvLightConstants_p constants, fv_f32_p curve, fv_f32 r, fv_f32 g, fv_f32 b)
{
    FvLightColour light;
    light.r = on_curve(curve, r);
    light.g = on_curve(curve, g);
    light.b = on_curve(curve, b);
    if (C.hlg > 0.0f)
        light = fv_light_display(light, C.hlg);
    if (C.wide != 0) {
        FvLightColour wide = light;
        light.r = FV_LIGHT_PRIMARY(C.primaries[0], wide.r, wide.g, wide.b);
        light.g = FV_LIGHT_PRIMARY(C.primaries[1], wide.r, wide.g, wide.b);
        light.b = FV_LIGHT_PRIMARY(C.primaries[2], wide.r, wide.g, wide.b);
    }
    return light;
}

#define THREADS (FV_LIGHT_QUADS_ACROSS * FV_LIGHT_QUADS_DOWN)
/* Chroma samples of an area, including those around it that the interpolation reads. */
#define CHROMA_X (FV_LIGHT_QUADS_ACROSS + 4)
#define CHROMA_Y (FV_LIGHT_QUADS_DOWN + 4)
#define CHROMA_SUMS (CHROMA_X * FV_LIGHT_QUADS_DOWN) /* number of sums of a plane, for even or for odd rows */
#define CHROMA_TURNS ((CHROMA_X * CHROMA_Y + THREADS - 1) / THREADS)

/* Chroma samples, and then sums down the columns: Cb and Cr of the reference, Cb and Cr of the distorted frame. */
FV_SHARED(fv_i32, chroma_area, 4 * CHROMA_X * CHROMA_Y);
FV_SHARED(fv_i32, chroma_sums, 4 * 2 * CHROMA_SUMS);

FV_FN bool chroma_together(FvLightConstants_p constants)
{
    return C.chroma_width != 0 && C.rgb == 0 && C.half_width != 0 && C.half_height != 0;
}

/* Interpolates chroma down the columns for the area whose first sample is (x0, y0). All threads call it together. */
FV_FN void take_chroma(FvLightConstants_p constants, FvPlanes ref, FvPlanes dis, fv_i32 x0, fv_i32 y0)
{
    fv_i32 thread = fv_i32(FV_THREAD), down[2][5];
    bool together = chroma_together(constants);
    if (together) {
        fv_i32 taken[4][CHROMA_TURNS];
        FV_UNROLL
        for (fv_i32 turn = 0; turn < CHROMA_TURNS; turn++) {
            fv_i32 i = thread + turn * THREADS;
            fv_i32 x = min(max(x0 / 2 - 2 + i % CHROMA_X, 0), C.chroma_width - 1);
            fv_i32 y = min(max(y0 / 2 - 2 + i / CHROMA_X, 0), C.chroma_height - 1);
            taken[0][turn] = sample_at(ref.data[1], ref.stride[1], x, y);
            taken[1][turn] = sample_at(ref.data[2], ref.stride[2], x, y);
            taken[2][turn] = sample_at(dis.data[1], dis.stride[1], x, y);
            taken[3][turn] = sample_at(dis.data[2], dis.stride[2], x, y);
        }
        FV_UNROLL
        for (fv_i32 turn = 0; turn < CHROMA_TURNS; turn++) {
            fv_i32 i = thread + turn * THREADS;
            FV_UNROLL
            for (fv_i32 n = 0; n < 4; n++)
                if (i < CHROMA_X * CHROMA_Y)
                    chroma_area[n * CHROMA_X * CHROMA_Y + i] = taken[n][turn];
        }
    }
    FV_BARRIER();
    if (together) {
        FV_UNROLL
        for (fv_i32 j = 0; j < 5; j++) {
            down[0][j] = C.down[0][j];
            down[1][j] = C.down[1][j];
        }
        for (fv_i32 i = thread; i < 4 * CHROMA_SUMS; i += THREADS) {
            fv_i32 n = i / CHROMA_SUMS, at = n * CHROMA_X * CHROMA_Y + i % CHROMA_SUMS, even = 0, odd = 0;
            FV_UNROLL
            for (fv_i32 j = 0; j < 5; j++) {
                fv_i32 value = chroma_area[at + j * CHROMA_X];
                even += down[0][j] * value;
                odd += down[1][j] * value;
            }
            chroma_sums[n * CHROMA_SUMS + i] = even;
            chroma_sums[(n + 1) * CHROMA_SUMS + i] = odd;
        }
    }
    FV_BARRIER();
}

/* Interpolates along a row of sums from sums[from] on, at the thread's two columns. */
FV_FN Two sums_across(FvLightConstants_p constants, fv_i32 from)
{
    Two two;
    fv_i32 thread = fv_i32(FV_THREAD);
    fv_i32 at = from + thread / FV_LIGHT_QUADS_ACROSS * CHROMA_X + thread % FV_LIGHT_QUADS_ACROSS;
    two.even = two.odd = 0;
    FV_UNROLL
    for (fv_i32 i = 0; i < 5; i++) {
        two.even += C.across[0][i] * chroma_sums[at + i];
        two.odd += C.across[1][i] * chroma_sums[at + i];
    }
    return two;
}

/*
 * Returns the light at (x, y), both even, of frame p (0: the reference). At the frame's edge, a missing sample is
 * replaced by its neighbour. Call take_chroma() before.
 */
FV_FN Quad quad_at(FvLightConstants_p constants, fv_f32_p curve, FvPlanes frame, fv_i32 p, fv_i32 x, fv_i32 y,
                   bool right, bool below)
{
    Matrix matrix;
    matrix.rv = C.rv;
    matrix.gu = C.gu;
    matrix.gv = C.gv;
    matrix.bu = C.bu;
    fv_i32 chroma[2][4];
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++)
        chroma[0][i] = chroma[1][i] = 0;
    if (C.chroma_width != 0 && C.rgb == 0) {
        FV_UNROLL
        for (fv_i32 i = 0; i < 2; i++) {
            fv_u8_p plane = frame.data[1 + i];
            fv_u32 stride = frame.stride[1 + i];
            if (chroma_together(constants)) {
                fv_i32 n = 2 * (2 * p + i);
                Two top = sums_across(constants, n * CHROMA_SUMS),
                    bottom = sums_across(constants, (n + 1) * CHROMA_SUMS);
                chroma[i][0] = top.even;
                chroma[i][1] = top.odd;
                chroma[i][2] = bottom.even;
                chroma[i][3] = bottom.odd;
            } else if (C.half_height == 0) {
                Two top = across(constants, plane, stride, x, y), bottom = across(constants, plane, stride, x, y + 1);
                chroma[i][0] = top.even;
                chroma[i][1] = top.odd;
                chroma[i][2] = bottom.even;
                chroma[i][3] = bottom.odd;
            } else {
                for (fv_i32 j = 0; j < 5; j++) {
                    Two row = across(constants, plane, stride, x, y / 2 - 2 + j);
                    chroma[i][0] += C.down[0][j] * row.even;
                    chroma[i][1] += C.down[0][j] * row.odd;
                    chroma[i][2] += C.down[1][j] * row.even;
                    chroma[i][3] += C.down[1][j] * row.odd;
                }
            }
        }
    }
    Quad quad;
    FV_UNROLL
    for (fv_i32 i = 0; i < 4; i++) {
        fv_i32 column = i % 2 == 1 && right ? x + 1 : x, line = i / 2 == 1 && below ? y + 1 : y;
        fv_f32 luma =
            fv_f32_from_small(sample_at(frame.data[0], frame.stride[0], column, line) - C.luma_zero) * C.luma_scale;
        fv_f32 r = luma, g = luma, b = luma;
        if (C.rgb != 0) {
            g = fv_f32_from_small(sample_at(frame.data[1], frame.stride[1], column, line) - C.luma_zero) *
                C.luma_scale;
            b = fv_f32_from_small(sample_at(frame.data[2], frame.stride[2], column, line) - C.luma_zero) *
                C.luma_scale;
        } else if (C.chroma_width != 0) {
            fv_i32 from_row = i / 2 == 1 && !below ? 0 : i / 2, from_column = i % 2 == 1 && !right ? 0 : i % 2;
            fv_i32 cb = from_row == 0 ? (from_column == 0 ? chroma[0][0] : chroma[0][1])
                                      : (from_column == 0 ? chroma[0][2] : chroma[0][3]);
            fv_i32 cr = from_row == 0 ? (from_column == 0 ? chroma[1][0] : chroma[1][1])
                                      : (from_column == 0 ? chroma[1][2] : chroma[1][3]);
            fv_f32 u = fv_light_to_f32(cb - C.chroma_zero) * C.chroma_scale;
            fv_f32 v = fv_light_to_f32(cr - C.chroma_zero) * C.chroma_scale;
            r = FV_LIGHT_RED(luma, v, matrix);
            g = FV_LIGHT_GREEN(luma, u, v, matrix);
            b = FV_LIGHT_BLUE(luma, u, matrix);
        }
        quad.of[i] = light_of(constants, curve, r, g, b);
    }
    return quad;
}

#endif

#endif
