/*
 * Converts the samples of a video to linear light, in binary32: the formulas of one sample. Every + - * is one
 * rounded operation in the order written. ITU-R BT.601, BT.709, BT.2020, BT.2100; docs/metrics/ssimulacra2.md
 */
#ifndef FV_ARITH_LIGHT_H
#define FV_ARITH_LIGHT_H

#include "arith/vdm.h"

#ifdef FV_KERNEL_DIALECT_H
/* Converts an integer to the nearest float, as processors do: both parts and their products are exact. */
FV_FN fv_f32 fv_light_to_f32(fv_i32 i)
{
    return fv_f32_from_small(i >> 12) * 4096.0f + fv_f32_from_small(i & 4095);
}
#else
#define fv_light_to_f32(i) fv_f32_from_i32(i)
#endif

/* Components of R'G'B' from Y'CbCr: y from 0 to 1, u and v around 0. m: the factors of the video's matrix. */
#define FV_LIGHT_RED(y, v, m) ((y) + (m).rv * (v))
#define FV_LIGHT_GREEN(y, u, v, m) (((y) - (m).gu * (u)) - (m).gv * (v))
#define FV_LIGHT_BLUE(y, u, m) ((y) + (m).bu * (u))

/* Returns the position of a component in the table of light, in steps: [0, FV_LIGHT_CURVE]. */
FV_FN fv_f32 fv_light_step(fv_f32 v)
{
    return fv_min_f32(fv_max_f32(v, fv_splat_f32(0.0f)), fv_splat_f32(1.0f)) * 4096.0f;
}

/*
 * Returns the amount of one target primary from light in the primaries of the video; row: that primary's row of the
 * conversion matrix.
 */
#define FV_LIGHT_PRIMARY(row, r, g, b) ((row)[0] * (r) + (row)[1] * (g) + (row)[2] * (b))

/* The luminance of BT.2020's primaries, from which HLG's system gamma is computed. */
#define FV_LIGHT_LUMINANCE(r, g, b) ((0.2627f * (r) + 0.678f * (g)) + 0.0593f * (b))

/* Returns HLG's system gamma for a display of 1000 cd/m2, as a factor of scene light with this luminance. */
FV_FN fv_f32 fv_light_hlg_gain(fv_f32 luminance)
{
    return fv_vdm_exp2(0.2f * fv_vdm_log2(fv_max_f32(luminance, fv_splat_f32(9.5367431640625e-07f))));
}

FV_STRUCT(FvLightColour)
{
    fv_f32 r, g, b;
};

/* Converts HLG's scene light to the light of a display of 1000 cd/m2, times `hlg`: ITU-R BT.2100, table 5. */
FV_FN FvLightColour fv_light_display(FvLightColour scene, fv_f32 hlg)
{
    FvLightColour shown;
    fv_f32 k = hlg * fv_light_hlg_gain(FV_LIGHT_LUMINANCE(scene.r, scene.g, scene.b));
    shown.r = k * scene.r;
    shown.g = k * scene.g;
    shown.b = k * scene.b;
    return shown;
}

/* Returns a sample of the next pyramid level: the mean of 2x2 samples. */
#define FV_LIGHT_HALF(a, b, c, d) ((((a) + (b)) + (c) + (d)) * 0.25f)

#endif
