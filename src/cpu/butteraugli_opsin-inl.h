/* Converts the samples of a frame to linear light and to rows of opsin (X, Y, B), for one instruction set. */
#pragma once

#include "cpu/border.h"
#include "cpu/butteraugli_walk-inl.h"

static void picture_light(const Walk *w, int p, int x0, int x1, int y, float *const out[3])
{
    const FvButterTile *tile = w->tile;
    (w->source == BYTES ? FV_ISA_STRUCT(fv_light_kernels).row8 : FV_ISA_STRUCT(fv_light_kernels).row16)(
        tile->light, tile->sample[p], tile->sample_stride[p], x0, x1, y, out);
}

/* Writes the light of columns [x0, x1) of a level that extends beyond the frame. y: row of the frame. */
static void extended_light(Walk *w, int p, int x0, int x1, int y, float *const out[3])
{
    const FvLight *light = w->tile->light;
    float(*full)[2 * WIDE] = w->scratch->full[0];
    picture_light(w, p, 0, light->width, y, (float *const[3]){full[0], full[1], full[2]});
    for (int c = 0; c < 3; c++)
        for (int x = x0; x < x1; x++)
            out[c][x - x0] = full[c][fv_clamp(x - w->tile->left, light->width)];
}

/* Writes the light of columns [x0, x1) of row y of level 1, the means of 2x2 samples. */
static void half_light(Walk *w, int p, int x0, int x1, int y, float *const out[3])
{
    const FvLight *light = w->tile->light;
    int end = 2 * x1 < light->width ? 2 * x1 : light->width, pairs = end / 2 - x0;
    for (int k = 0; k < 2; k++) {
        float(*full)[2 * WIDE] = w->scratch->full[k];
        picture_light(w, p, 2 * x0, end, fv_clamp(2 * y + k, light->height),
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

/* Mirrors the row at the edges of the frame. */
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
    /* x0 is even, because level 1 and subsampled chroma need pairs of columns. */
    int x0 = tile->x0 - AHEAD_LIGHT - 1, x1 = tile->x1 + AHEAD_LIGHT;
    x0 = x0 < 0 ? 0 : x0;
    x1 = x1 < tile->width ? x1 : tile->width;
    int at = FIRST + x0 - tile->x0;
    float *out[3];
    for (int c = 0; c < 3; c++)
        out[c] = RING(scratch->light[p][c], y) + at;
    if (tile->level)
        half_light(w, p, x0, x1, y, out);
    else if (tile->light->width < tile->width)
        extended_light(w, p, x0, x1, fv_clamp(y - tile->above, tile->light->height), out);
    else
        picture_light(w, p, x0, x1, fv_clamp(y - tile->above, tile->light->height), out);
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

static void opsin_row(Walk *w, int p, int y)
{
    Scratch *scratch = w->scratch;
    const float *light[3], *soft[3][2 * FV_BUTTER_SOFT_REACH + 1];
    float *opsin[3], intensity = w->tile->intensity;
    for (int c = 0; c < 3; c++) {
        light[c] = RING(scratch->light[p][c], y);
        opsin[c] = RING(scratch->opsin[p][c], y);
        for (int k = 0; k <= 2 * FV_BUTTER_SOFT_REACH; k++)
            soft[c][k] = RING(scratch->soft[p][c], fv_mirror_edge(y + k - FV_BUTTER_SOFT_REACH, w->tile->height));
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
