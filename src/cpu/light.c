/* Converts samples to linear light, for one instruction set. */
#include "cpu/light.h"

#include "cpu/border.h"
#include "cpu/neighbours-inl.h"
#include "cpu/vdm_rows.h"

#include "arith/light.h"

typedef enum Source { BYTES, WORDS } Source;

FV_FN fv_i32 samples(const uint8_t *row, Source source, int x)
{
    return source == BYTES ? fv_i32_from_u8(FV_LOAD(fv_u8_quarter, row + x))
                           : fv_i32_from_u16(FV_LOAD(fv_u16_half, row + 2 * x));
}

/*
 * Interpolates chroma down the columns: writes columns [first, end) of the chroma plane, and a vector after them, at
 * luma row y. Columns outside the plane repeat the one at the edge.
 */
FV_FN void chroma_column(const FvLight *light, const uint8_t *plane, ptrdiff_t stride, Source source, int first,
                         int end, int y, int32_t *out)
{
    FvLightTaps taps = fv_light_taps(light->down, y);
    const uint8_t *row[4] = {NULL, NULL, NULL, NULL};
    for (int i = 0; i < taps.count; i++)
        row[i] = plane + fv_clamp(taps.first + i, light->chroma_height) * stride;
    int from = first < 0 ? 0 : first, to = end < light->chroma_width ? end : light->chroma_width;
    for (int x = from; x < to; x += FV_LANES) {
        fv_i32 sum = taps.weight[0] * samples(row[0], source, x);
        for (int i = 1; i < taps.count; i++)
            sum += taps.weight[i] * samples(row[i], source, x);
        FV_STORE(out + x - first, sum);
    }
    for (int x = first; x < from; x++)
        out[x - first] = out[from - first];
    for (int x = to; x < end; x++)
        out[x - first] = out[to - 1 - first];
    FV_STORE(out + end - first, (fv_i32){0} + out[to - 1 - first]);
}

/* Interpolates chroma to luma columns [x0, x1) of row y; x0 is even. May write a vector after the end. */
FV_FN void chroma_row(const FvLight *light, const uint8_t *plane, ptrdiff_t stride, Source source, int x0, int x1,
                      int y, int32_t *column, int32_t *out)
{
    if (light->across == FV_LIGHT_FULL) {
        chroma_column(light, plane, stride, source, x0, x1, y, out);
        return;
    }
    FvLightTaps even = fv_light_taps(light->across, x0), odd = fv_light_taps(light->across, x0 + 1);
    int first = x0 / 2 - 2, pairs = (x1 - x0 + 1) / 2;
    chroma_column(light, plane, stride, source, first, first + pairs + 4, y, column);
    const int32_t *e = column + even.first - first, *o = column + odd.first - first;
    for (int k = 0; k < pairs; k += FV_LANES) {
        fv_i32 sum[2] = {even.weight[0] * FV_LOAD(fv_i32, e + k), odd.weight[0] * FV_LOAD(fv_i32, o + k)};
        for (int i = 1; i < even.count; i++)
            sum[0] += even.weight[i] * FV_LOAD(fv_i32, e + k + i);
        for (int i = 1; i < odd.count; i++)
            sum[1] += odd.weight[i] * FV_LOAD(fv_i32, o + k + i);
        FV_STORE(out + 2 * k, FV_VDM_JOIN(sum[0], sum[1], 0));
        FV_STORE(out + 2 * k + FV_LANES, FV_VDM_JOIN(sum[0], sum[1], FV_LANES / 2));
    }
}

FV_FN fv_f32 curve(const FvLight *light, fv_f32 v)
{
    fv_f32 t = fv_light_step(v), base, slope;
    fv_i32 i = fv_i32_from_f32(t);
    FV_NEIGHBOURS(light->curve, i, 2, base, slope);
    return base + (t - fv_f32_from_i32(i)) * slope;
}

FV_FN void row(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], Source source, int x0,
               int x1, int y, float *const out[3])
{
    int32_t column[FV_LIGHT_MOST / 2 + 64], chroma[2][FV_LIGHT_MOST + 64];
    const uint8_t *line[3] = {NULL, NULL, NULL};
    const float(*wide)[3] = light->wide;
    for (int plane = 0; plane < (light->rgb ? 3 : 1); plane++)
        line[plane] = sample[plane] + y * stride[plane];
    bool coloured = light->chroma_width && !light->rgb;
    for (int i = 0; coloured && i < 2; i++)
        chroma_row(light, sample[1 + i], stride[1 + i], source, x0, x1, y, column, chroma[i]);
    for (int x = x0; x < x1; x += FV_LANES) {
        FvLightColour c;
        c.r = c.g = c.b = fv_f32_from_i32(samples(line[0], source, x) - light->luma_zero) * light->luma_scale;
        if (light->rgb) {
            c.g = fv_f32_from_i32(samples(line[1], source, x) - light->luma_zero) * light->luma_scale;
            c.b = fv_f32_from_i32(samples(line[2], source, x) - light->luma_zero) * light->luma_scale;
        } else if (coloured) {
            fv_i32 cb = FV_LOAD(fv_i32, chroma[0] + x - x0), cr = FV_LOAD(fv_i32, chroma[1] + x - x0);
            fv_f32 u = fv_f32_from_i32(cb - light->chroma_zero) * light->chroma_scale;
            fv_f32 v = fv_f32_from_i32(cr - light->chroma_zero) * light->chroma_scale, luma = c.r;
            c.r = FV_LIGHT_RED(luma, v, light->matrix);
            c.g = FV_LIGHT_GREEN(luma, u, v, light->matrix);
            c.b = FV_LIGHT_BLUE(luma, u, light->matrix);
        }
        c = (FvLightColour){curve(light, c.r), curve(light, c.g), curve(light, c.b)};
        if (light->hlg > 0)
            c = fv_light_display(c, fv_splat_f32(light->hlg));
        FV_STORE(out[0] + x - x0, wide ? FV_LIGHT_PRIMARY(wide[0], c.r, c.g, c.b) : c.r);
        FV_STORE(out[1] + x - x0, wide ? FV_LIGHT_PRIMARY(wide[1], c.r, c.g, c.b) : c.g);
        FV_STORE(out[2] + x - x0, wide ? FV_LIGHT_PRIMARY(wide[2], c.r, c.g, c.b) : c.b);
    }
}

static void row8(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int x0, int x1,
                 int y, float *const out[3])
{
    row(light, sample, stride, BYTES, x0, x1, y, out);
}

static void row16(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int x0, int x1,
                  int y, float *const out[3])
{
    row(light, sample, stride, WORDS, x0, x1, y, out);
}

const FvLightKernels FV_ISA_STRUCT(fv_light_kernels) = {.row8 = row8, .row16 = row16};
