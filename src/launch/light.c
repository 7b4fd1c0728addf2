/* Fills the constants of the kernels that convert samples to linear light. */
#include "launch/light.h"

#include <string.h>

/*
 * Fills the interpolation weights of five neighbours, from the second previous one to the second next one, for even
 * and odd positions.
 */
static void five(FvLightSiting siting, int32_t weights[2][5])
{
    memset(weights, 0, 2 * sizeof *weights);
    for (int place = 0; place < 2; place++) {
        FvLightTaps taps = fv_light_taps(siting, 4 + place);
        for (int i = 0; siting != FV_LIGHT_FULL && i < taps.count; i++)
            weights[place][taps.first + i] = taps.weight[i];
    }
}

void fv_light_constants(const FvLight *light, void *memory)
{
    FvLightConstants *c = memory;
    memset(memory, 0, FV_LIGHT_CONSTANT_BYTES);
    *c = (FvLightConstants){.chroma_width = light->chroma_width,
                            .chroma_height = light->chroma_height,
                            .rgb = light->rgb,
                            .half_width = light->across != FV_LIGHT_FULL,
                            .half_height = light->down != FV_LIGHT_FULL,
                            .luma_zero = light->luma_zero,
                            .chroma_zero = light->chroma_zero,
                            .wide = light->wide != NULL,
                            .luma_scale = light->luma_scale,
                            .chroma_scale = light->chroma_scale,
                            .rv = light->matrix.rv,
                            .gu = light->matrix.gu,
                            .gv = light->matrix.gv,
                            .bu = light->matrix.bu,
                            .hlg = light->hlg};
    five(light->across, c->across);
    five(light->down, c->down);
    if (light->wide)
        memcpy(c->primaries, light->wide, sizeof c->primaries);
    memcpy((uint8_t *)memory + FV_LIGHT_CURVE_OFFSET, light->curve, (FV_LIGHT_CURVE + 1) * sizeof *light->curve);
}
