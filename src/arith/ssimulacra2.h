/*
 * SSIMULACRA 2: the formulas of one sample, in binary32. docs/metrics/ssimulacra2.md
 *
 * Every + - * is one rounded operation in the order written. Roots and quotients of samples come from the iterations
 * below, which are part of the definition.
 */
#ifndef FV_ARITH_SSIMULACRA2_H
#define FV_ARITH_SSIMULACRA2_H

#include "arith/light.h"
#include "arith/vdm.h"

/* ---- XYB ---------------------------------------------------------------------------------------------------- */

/* Returns the cube root of x >= 0, with a relative error of at most 1.2e-7. */
FV_FN fv_f32 fv_ss2_root(fv_f32 x)
{
    fv_f32 third = fv_light_to_f32(fv_i32_from_u32(fv_bits(x))) * 0.333333343f;
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

#define FV_SS2_REACH 4 /* radius of the blur in samples */
/*
 * Blurs along a line: a0 is the sample in the middle, a1 to a4 are sums of the two samples at the distances 1 to 4.
 */
#define FV_SS2_BLUR(a0, a1, a2, a3, a4)                                                                              \
    ((((0.264621079f * (a0) + 0.212928593f * (a1)) + 0.109335378f * (a2)) + 0.0360111147f * (a3)) +                  \
     0.00941437483f * (a4))

/* ---- Maps --------------------------------------------------------------------------------------------------- */

FV_FN fv_f32 fv_ss2_limited(fv_f32 x)
{
    return fv_min_f32(fv_max_f32(x, fv_splat_f32(0.0f)), fv_splat_f32(16.0f));
}

/*
 * Returns the difference in structure, from the means ma and mb, the mean squared difference q, and the mean product
 * p.
 */
FV_FN fv_f32 fv_ss2_unlike(fv_f32 ma, fv_f32 mb, fv_f32 q, fv_f32 p)
{
    fv_f32 e = ma - mb;
    fv_f32 t = e * e;
    fv_f32 v = fv_max_f32(q - t, fv_splat_f32(0.0f));
    fv_f32 c = 2.0f * (p - ma * mb) + 0.0009f;
    fv_f32 whole = fv_max_f32(c + v, fv_splat_f32(0.00048828125f));
    return fv_ss2_limited((v + t * c) * fv_vdm_inverse(whole));
}

/*
 * Above 0: ringing, an edge that the reference lacks. Below 0: blur, an edge that was lost. a and b: samples; ma and
 * mb: the means around them.
 */
FV_FN fv_f32 fv_ss2_edge(fv_f32 a, fv_f32 b, fv_f32 ma, fv_f32 mb)
{
    fv_f32 e1 = fv_abs_f32(a - ma), e2 = fv_abs_f32(b - mb);
    return (e2 - e1) * fv_vdm_inverse(1.0f + e1);
}

#endif
