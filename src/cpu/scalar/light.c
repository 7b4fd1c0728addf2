/* Conversion of samples to linear light, the reference: sample by sample. */
#include "arith/scalar.h"

#include "arith/light.h"
#include "cpu/border.h"
#include "cpu/light.h"

typedef struct Picture {
    const uint8_t *sample[3];
    ptrdiff_t stride[3];
    int bytes; /* bytes per sample */
} Picture;

/*
 * Returns the weights of chroma around a luma position: Catmull-Rom interpolation of samples at half the density, in
 * units of 1/16 (cosited) or 1/128 (centred).
 */
FvLightTaps fv_light_taps(FvLightSiting siting, int place)
{
    int before = (place - 1) / 2 - 1; /* the second neighbour before an odd position */
    if (siting == FV_LIGHT_FULL)
        return (FvLightTaps){place, 1, {1}};
    if (siting == FV_LIGHT_COSITED)
        return place % 2 ? (FvLightTaps){before, 4, {-1, 9, 9, -1}} : (FvLightTaps){place / 2, 1, {16}};
    return place % 2 ? (FvLightTaps){before, 4, {-9, 111, 29, -3}}
                     : (FvLightTaps){place / 2 - 2, 4, {-3, 29, 111, -9}};
}

static int sample(const Picture *picture, int plane, int x, int y)
{
    const uint8_t *row = picture->sample[plane] + y * picture->stride[plane];
    return picture->bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
}

static int chroma(const FvLight *light, const Picture *picture, int plane, int x, int y)
{
    FvLightTaps across = fv_light_taps(light->across, x), down = fv_light_taps(light->down, y);
    int sum = 0;
    for (int j = 0; j < down.count; j++)
        for (int i = 0; i < across.count; i++)
            sum += across.weight[i] * down.weight[j] *
                   sample(picture, plane, fv_clamp(across.first + i, light->chroma_width),
                          fv_clamp(down.first + j, light->chroma_height));
    return sum;
}

static float curve(const FvLight *light, float v)
{
    float t = fv_light_step(v);
    int i = (int)t;
    return light->curve[i][0] + (t - (float)i) * light->curve[i][1];
}

static void light_at(const FvLight *light, const Picture *picture, int x, int y, float rgb[3])
{
    float luma[3];
    FvLightColour c;
    for (int plane = 0; plane < (light->rgb ? 3 : 1); plane++)
        luma[plane] = (float)(sample(picture, plane, x, y) - light->luma_zero) * light->luma_scale;
    c.r = c.g = c.b = luma[0];
    if (light->rgb) {
        c.g = luma[1];
        c.b = luma[2];
    } else if (light->chroma_width) {
        float u = (float)(chroma(light, picture, 1, x, y) - light->chroma_zero) * light->chroma_scale;
        float v = (float)(chroma(light, picture, 2, x, y) - light->chroma_zero) * light->chroma_scale;
        c.r = FV_LIGHT_RED(luma[0], v, light->matrix);
        c.g = FV_LIGHT_GREEN(luma[0], u, v, light->matrix);
        c.b = FV_LIGHT_BLUE(luma[0], u, light->matrix);
    }
    c = (FvLightColour){curve(light, c.r), curve(light, c.g), curve(light, c.b)};
    if (light->hlg > 0)
        c = fv_light_display(c, light->hlg);
    rgb[0] = light->wide ? FV_LIGHT_PRIMARY(light->wide[0], c.r, c.g, c.b) : c.r;
    rgb[1] = light->wide ? FV_LIGHT_PRIMARY(light->wide[1], c.r, c.g, c.b) : c.g;
    rgb[2] = light->wide ? FV_LIGHT_PRIMARY(light->wide[2], c.r, c.g, c.b) : c.b;
}

static void row(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int bytes, int x0,
                int x1, int y, float *const out[3])
{
    Picture picture = {{sample[0], sample[1], sample[2]}, {stride[0], stride[1], stride[2]}, bytes};
    for (int x = x0; x < x1; x++) {
        float rgb[3];
        light_at(light, &picture, x, y, rgb);
        for (int c = 0; c < 3; c++)
            out[c][x - x0] = rgb[c];
    }
}

static void row8(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int x0, int x1,
                 int y, float *const out[3])
{
    row(light, sample, stride, 1, x0, x1, y, out);
}

static void row16(const FvLight *light, const uint8_t *const sample[3], const ptrdiff_t stride[3], int x0, int x1,
                  int y, float *const out[3])
{
    row(light, sample, stride, 2, x0, x1, y, out);
}

const FvLightKernels fv_light_kernels_scalar = {.row8 = row8, .row16 = row16};
