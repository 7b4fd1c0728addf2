/*
 * PU21: luminance on a display to perceptually uniform units, in binary32. docs/metrics/pu.md
 *
 * Every + - * is one rounded operation in the order written.
 */
#ifndef FV_ARITH_PU21_H
#define FV_ARITH_PU21_H

#include "arith/vdm.h"

FV_FN fv_f32 fv_pu_luminance(fv_f32 r, fv_f32 g, fv_f32 b, float red, float green, float blue)
{
    return (red * r + green * g) + blue * b;
}

/*
 * Applies HLG's system gamma: converts the luminance of the scene, in [0, 1], to cd/m2. peak: peak luminance of the
 * display, in cd/m2.
 */
FV_FN fv_f32 fv_pu_displayed(fv_f32 scene, float gamma, float peak)
{
    return fv_vdm_exp2(fv_vdm_log2(fv_max_f32(scene, fv_splat_f32(9.5367431640625e-07f))) * gamma) * peak;
}

/*
 * Returns p7 (((p1 + p2 Y^p4) / (1 + p3 Y^p4))^p5 - p6) for a luminance of Y cd/m2, as a multiple of 2^-14 with at
 * most 24 bits.
 */
FV_FN fv_f32 fv_pu_encode(fv_f32 y, float p1, float p2, float p3, float p4, float p5, float p6, float p7)
{
    fv_f32 inside = fv_min_f32(fv_max_f32(y, fv_splat_f32(0.005f)), fv_splat_f32(10000.0f));
    fv_f32 u = fv_vdm_exp2(fv_vdm_log2(inside) * p4);
    fv_f32 ratio = (u * p2 + p1) * fv_vdm_inverse(u * p3 + 1.0f);
    fv_f32 v = fv_max_f32((fv_vdm_exp2(fv_vdm_log2(ratio) * p5) - p6) * p7, fv_splat_f32(0.0f));
    return fv_f32_from_i32(fv_i32_from_f32(v * 16384.0f + 0.5f)) * 6.103515625e-05f;
}

#endif
