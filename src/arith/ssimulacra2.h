/*
 * SSIMULACRA 2: the formulas of one sample, in binary32. docs/metrics/ssimulacra2.md
 *
 * Every + - * is one rounded operation in the order written. Roots and quotients of samples come from the iterations
 * below, which are part of the definition.
 */
#ifndef FV_ARITH_SSIMULACRA2_H
#define FV_ARITH_SSIMULACRA2_H

#include "arith/vdm.h"

#ifdef FV_KERNEL_DIALECT_H
/* To the nearest number, as conversions elsewhere: both parts and their products are exact. */
FV_FN fv_f32 fv_ss2_to_f32(fv_i32 i)
{
    return fv_f32_from_small(i >> 12) * 4096.0f + fv_f32_from_small(i & 4095);
}
#else
#define fv_ss2_to_f32(i) fv_f32_from_i32(i)
#endif

/* ---- Linear light ------------------------------------------------------------------------------------------- */

/* The components of Y'CbCr, scaled: y from 0 to 1, u and v around 0. The factors are those of the matrix. */
#define FV_SS2_RED(y, v, m) ((y) + (m).rv * (v))
#define FV_SS2_GREEN(y, u, v, m) (((y) - (m).gu * (u)) - (m).gv * (v))
#define FV_SS2_BLUE(y, u, m) ((y) + (m).bu * (u))

/* Where a component lies in the table, in steps: [0, FV_SS2_CURVE]. */
FV_FN fv_f32 fv_ss2_step(fv_f32 v)
{
    return fv_min_f32(fv_max_f32(v, fv_splat_f32(0.0f)), fv_splat_f32(1.0f)) * 4096.0f;
}

/* BT.2020's primaries as amounts of BT.709's. */
#define FV_SS2_RED_709(r, g, b) (1.660491f * (r) + -0.587641f * (g) + -0.07285f * (b))
#define FV_SS2_GREEN_709(r, g, b) (-0.12455f * (r) + 1.1329f * (g) + -0.008349f * (b))
#define FV_SS2_BLUE_709(r, g, b) (-0.018151f * (r) + -0.100579f * (g) + 1.11873f * (b))

/* What HLG's system gamma looks at. */
#define FV_SS2_HLG_LIGHT(r, g, b) ((0.2627f * (r) + 0.678f * (g)) + 0.0593f * (b))

/* HLG's system gamma at 1000 cd/m2, as a factor for light of this luminance. */
FV_FN fv_f32 fv_ss2_hlg_gain(fv_f32 luminance)
{
    return fv_vdm_exp2(0.2f * fv_vdm_log2(fv_max_f32(luminance, fv_splat_f32(9.5367431640625e-07f))));
}

/* A sample of the next level from four. */
#define FV_SS2_HALF(a, b, c, d) ((((a) + (b)) + (c) + (d)) * 0.25f)

/* ---- XYB ---------------------------------------------------------------------------------------------------- */

/* Cube root of x >= 0: error 1.2e-7 relative. */
FV_FN fv_f32 fv_ss2_root(fv_f32 x)
{
    fv_f32 third = fv_ss2_to_f32(fv_i32_from_u32(fv_bits(x))) * 0.333333343f;
    fv_f32 r = fv_f32_from_bits(0x54a21d2au - fv_u32_from_i32(fv_i32_from_f32(third)));
    r = r + (r * 0.333333343f) * (1.0f - ((x * r) * r) * r);
    r = r + (r * 0.333333343f) * (1.0f - ((x * r) * r) * r);
    fv_f32 y = (x * r) * r;
    return y + (y * 0.666666687f) * (1.0f - y * r);
}

FV_FN fv_f32 fv_ss2_cone(fv_f32 light)
{
    return fv_ss2_root(fv_max_f32(light, fv_splat_f32(0.0f))) + -0.155954197f;
}

FV_FN fv_f32 fv_ss2_long(fv_f32 r, fv_f32 g, fv_f32 b)
{
    return fv_ss2_cone(0.3f * r + (0.622f * g + (0.078f * b + 0.00379307335f)));
}

FV_FN fv_f32 fv_ss2_middle(fv_f32 r, fv_f32 g, fv_f32 b)
{
    return fv_ss2_cone(0.23f * r + (0.692f * g + (0.078f * b + 0.00379307335f)));
}

FV_FN fv_f32 fv_ss2_short(fv_f32 r, fv_f32 g, fv_f32 b)
{
    return fv_ss2_cone(0.243422687f * r + (0.204767451f * g + (0.551809847f * b + 0.00379307335f)));
}

#define FV_SS2_Y_HALF(l, m) (0.5f * ((l) + (m)))
#define FV_SS2_X(l, m) ((0.5f * ((l) - (m))) * 14.0f + 0.42f)
#define FV_SS2_Y(l, m) (FV_SS2_Y_HALF(l, m) + 0.01f)
#define FV_SS2_B(l, m, s) (((s)-FV_SS2_Y_HALF(l, m)) + 0.55f)

/* ---- Blur --------------------------------------------------------------------------------------------------- */

#define FV_SS2_REACH 4
/* a0 is the sample in the middle, a1 the sum of its neighbours, ... */
#define FV_SS2_BLUR(a0, a1, a2, a3, a4)                                                                              \
    ((((0.264621079f * (a0) + 0.212928593f * (a1)) + 0.109335378f * (a2)) + 0.0360111147f * (a3)) +                  \
     0.00941437483f * (a4))

/* ---- Maps --------------------------------------------------------------------------------------------------- */

FV_FN fv_f32 fv_ss2_limited(fv_f32 x)
{
    return fv_min_f32(fv_max_f32(x, fv_splat_f32(0.0f)), fv_splat_f32(16.0f));
}

/* How far the structure differs: from the means, the mean squared difference, the mean product. */
FV_FN fv_f32 fv_ss2_unlike(fv_f32 ma, fv_f32 mb, fv_f32 q, fv_f32 p)
{
    fv_f32 e = ma - mb;
    fv_f32 t = e * e;
    fv_f32 v = fv_max_f32(q - t, fv_splat_f32(0.0f));
    fv_f32 c = 2.0f * (p - ma * mb) + 0.0009f;
    fv_f32 whole = fv_max_f32(c + v, fv_splat_f32(0.00048828125f));
    return fv_ss2_limited((v + t * c) * fv_vdm_inverse(whole));
}

/* Above 0: edges that the reference lacks (ringing). Below 0: edges that were lost. */
FV_FN fv_f32 fv_ss2_edge(fv_f32 a, fv_f32 b, fv_f32 ma, fv_f32 mb)
{
    fv_f32 e1 = fv_abs_f32(a - ma), e2 = fv_abs_f32(b - mb);
    return (e2 - e1) * fv_vdm_inverse(1.0f + e1);
}

#endif
