/*
 * ColorVideoVDP: the formulas of one sample, in binary32. docs/metrics/cvvdp.md
 *
 * Every + - * is one rounded operation in the order written. Powers and quotients are the polynomials of arith/vdm.h,
 * which are part of the definition.
 */
#ifndef FV_ARITH_CVVDP_H
#define FV_ARITH_CVVDP_H

#include "arith/light.h"

/* ---- Light -------------------------------------------------------------------------------------------------- */

FV_STRUCT(FvCvvdpLight)
{
    fv_f32 r, g, b;
};

/* Converts HLG's linear signal to cd/m2; gamma_1: the exponent of HLG's system gamma, less 1. */
FV_FN FvCvvdpLight fv_cvvdp_hlg(FvCvvdpLight light, float gamma_1, float exposure, float span, float base)
{
    fv_f32 luminance = FV_LIGHT_LUMINANCE(light.r, light.g, light.b), most = fv_splat_f32(1.0f);
    luminance = fv_max_f32(luminance, fv_splat_f32(9.5367431640625e-07f));
    fv_f32 gain = fv_vdm_exp2(gamma_1 * fv_vdm_log2(luminance));
    light.r = span * fv_min_f32((gain * light.r) * exposure, most) + base;
    light.g = span * fv_min_f32((gain * light.g) * exposure, most) + base;
    light.b = span * fv_min_f32((gain * light.b) * exposure, most) + base;
    return light;
}

#define FV_CVVDP_OPPONENT(row, light) (((row)[0] * (light).r + (row)[1] * (light).g) + (row)[2] * (light).b)

/* ---- Pyramid ------------------------------------------------------------------------------------------------ */

/* Filters a sample x before reduction. side, far: sums of the two neighbours at the distances 1 and 2. */
#define FV_CVVDP_REDUCE(x, side, far) ((0.4f * (x) + 0.25f * (side)) + 0.05f * (far))

/* Double the number of samples: EVEN is the result at an input sample, ODD the result between two of them. */
#define FV_CVVDP_EXPAND_EVEN(x, left, right) (0.8f * (x) + 0.1f * ((left) + (right)))
#define FV_CVVDP_EXPAND_ODD(left, right) (0.5f * ((left) + (right)))

/* ---- Contrast and sensitivity ------------------------------------------------------------------------------- */

FV_FN fv_f32 fv_cvvdp_luminance(fv_f32 mean)
{
    return fv_max_f32(mean, fv_splat_f32(0.01f));
}

/*
 * Returns the position of a luminance in the table of sensitivities, which has 32 nodes per octave: the node in the
 * bits from 18 on, the fraction below them.
 */
FV_FN fv_u32 fv_cvvdp_place(fv_f32 luminance)
{
    return fv_bits(fv_min_f32(luminance, fv_splat_f32(16383.999f))) - 0x3c000000u;
}

/* Returns the fraction of the way from the node of `place` to the next node, in [0, 1). */
FV_FN fv_f32 fv_cvvdp_share(fv_u32 place)
{
    return fv_vdm_small(fv_i32_from_u32(place & 0x3ffffu)) * 3.814697265625e-06f;
}

FV_FN fv_f32 fv_cvvdp_contrast(fv_f32 fine, fv_f32 mean, fv_f32 inverse, fv_f32 sensitivity)
{
    fv_f32 contrast = (fine - mean) * inverse;
    return fv_min_f32(fv_max_f32(contrast, fv_splat_f32(-32768.0f)), fv_splat_f32(1000.0f)) * sensitivity;
}

/* ---- Masking ------------------------------------------------------------------------------------------------ */

/*
 * Returns (x + 0.00001)^y - zero, at least 0; zero: 0.00001^y, the power for x = 0. Contrasts are at most 2^15 times
 * a sensitivity below 2^20, so the exponent stays in range without a limit.
 */
FV_FN fv_f32 fv_cvvdp_grow(fv_f32 x, float y, float zero)
{
    fv_f32 power = fv_vdm_exp2_inside(y * fv_vdm_log2(x + 1e-5f));
    return fv_max_f32(power - zero, fv_splat_f32(0.0f));
}

/* Returns a channel's masked difference from its excitation and its mask, limited softly to `ceiling`. */
FV_FN fv_f32 fv_cvvdp_difference(fv_f32 excitation, fv_f32 mask, float ceiling)
{
    return (ceiling * excitation) * fv_vdm_inverse((1.0f + mask) * ceiling + excitation);
}

/* Returns the term of a difference in the sum of its band: (d + 1e-5)^2 less the value for d = 0. */
FV_FN fv_f32 fv_cvvdp_square(fv_f32 difference)
{
    return difference * (difference + 2e-5f);
}

/* ---- Map ---------------------------------------------------------------------------------------------------- */

/*
 * Returns a channel's term in the sum over channels, a fourth power; zero: the value for no difference, (1e-5^2)^2.
 */
FV_FN fv_f32 fv_cvvdp_fourth(fv_f32 difference, float weight, float zero)
{
    fv_f32 u = difference * weight + 1e-5f;
    fv_f32 v = u * u;
    return fv_max_f32(v * v - zero, fv_splat_f32(0.0f));
}

/* Returns the loss of quality in units of 10 JOD, from the sum over all bands: a line up to 0.1, a power above it. */
FV_FN fv_f32 fv_cvvdp_jod(fv_f32 sum, float slope, float scale, float exponent)
{
    fv_f32 power = scale * fv_vdm_exp2(exponent * fv_vdm_log2(fv_max_f32(sum, fv_splat_f32(0.01f))));
    return fv_sel_f32(sum <= fv_splat_f32(0.1f), slope * sum, power);
}

#endif
