/*
 * Delta E ITP: converts light of BT.2020's primaries to I, T and P, and gives the difference of two colours, in
 * binary32. ITU-R BT.2124 and BT.2100; docs/metrics/delta_e_itp.md
 *
 * Every + - * is one rounded operation in the order written. All constants are exact in binary32.
 */
#ifndef FV_ARITH_ITP_H
#define FV_ARITH_ITP_H

#include "arith/light.h"
#include "arith/pu21.h"

/*
 * The table of PQ's inverse EOTF covers 2^-24 to 2^14 cd/m2, with 512 steps per octave. A step is the upper bits of
 * the float; FV_ITP_FIRST holds the bits of the first entry, 2^-24.
 */
#define FV_ITP_FIRST 0x33800000
#define FV_ITP_BITS 14 /* number of fraction bits between two steps */
#define FV_ITP_STEPS (38 * 512)

/* Returns the light that a cone absorbs, limited to the range of the table; red, green, blue: the cone's weights. */
FV_FN fv_f32 fv_itp_cone(fv_f32 r, fv_f32 g, fv_f32 b, float red, float green, float blue)
{
    fv_f32 light = (red * r + green * g) + blue * b;
    return fv_min_f32(fv_max_f32(light, fv_splat_f32(5.9604644775390625e-08f)), fv_splat_f32(16383.9990234375f));
}
#define FV_ITP_L(r, g, b) fv_itp_cone(r, g, b, 0.412109375f, 0.52392578125f, 0.06396484375f)
#define FV_ITP_M(r, g, b) fv_itp_cone(r, g, b, 0.166748046875f, 0.720458984375f, 0.11279296875f)
#define FV_ITP_S(r, g, b) fv_itp_cone(r, g, b, 0.024169921875f, 0.075439453125f, 0.900390625f)

/* Returns the step at or below a cone's light. */
FV_FN fv_i32 fv_itp_step(fv_f32 light)
{
    return (fv_i32_from_u32(fv_bits(light)) - FV_ITP_FIRST) >> FV_ITP_BITS;
}

/*
 * Returns the PQ signal of a cone's light, interpolated between the signals of its step (`here`) and of the next one.
 */
FV_FN fv_f32 fv_itp_signal(fv_f32 light, fv_f32 here, fv_f32 next)
{
    fv_i32 beyond = fv_i32_from_u32(fv_bits(light)) & ((1 << FV_ITP_BITS) - 1);
    return here + (fv_vdm_small(beyond) * 6.103515625e-05f) * (next - here);
}

/* I, T and P from the PQ signals l, m and s of the three cones. */
FV_FN fv_f32 fv_itp_i(fv_f32 l, fv_f32 m)
{
    return (l + m) * 0.5f;
}

FV_FN fv_f32 fv_itp_t(fv_f32 l, fv_f32 m, fv_f32 s)
{
    return (l * 0.806884765625f - m * 1.6617431640625f) + s * 0.8548583984375f;
}

FV_FN fv_f32 fv_itp_p(fv_f32 l, fv_f32 m, fv_f32 s)
{
    return (l * 4.378173828125f - m * 4.24560546875f) - s * 0.132568359375f;
}

#define FV_ITP_UNIT 16384 /* units per just noticeable difference, which is a difference of 1 */

/*
 * Returns 720 times the distance of two colours that differ by (i, t, p) (BT.2124), in units of 1 / FV_ITP_UNIT.
 * The result is below 2^24.
 */
FV_FN fv_i32 fv_itp_difference(fv_f32 i, fv_f32 t, fv_f32 p)
{
    return fv_i32_from_f32(fv_sqrt((i * i + t * t) + p * p) * 11796480.0f + 0.5f);
}

#endif
