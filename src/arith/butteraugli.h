/*
 * Butteraugli: the formulas of one sample, in binary32. docs/metrics/butteraugli.md
 *
 * Every + - * is one rounded operation in the order written. Logarithms and quotients of samples come from the
 * polynomials of arith/vdm.h, which are part of the definition. `a` is a sample of the reference, `b` one of the
 * distorted frame.
 */
#ifndef FV_ARITH_BUTTERAUGLI_H
#define FV_ARITH_BUTTERAUGLI_H

#include "arith/light.h"
#include "arith/vdm.h"

/* ---- Blurs: S = k0 a[0]; S = S + k_i (a[-i] + a[+i]) -------------------------------------------------------- */

/* Radius in samples of each blur, of the erosion of activity, and of the lines of energy. */
#define FV_BUTTER_SOFT_REACH 2
#define FV_BUTTER_LOW_REACH 16
#define FV_BUTTER_MIDDLE_REACH 7
#define FV_BUTTER_HIGH_REACH 3
#define FV_BUTTER_MASK_REACH 6
#define FV_BUTTER_EROSION_REACH 3
#define FV_BUTTER_LINE_REACH 4

FV_TABLE(float, fv_butter_soft, 3) = {0.343406469f, 0.242667601f, 0.0856291652f};
FV_TABLE(float, fv_butter_low, 17) = {0.0569467805f,  0.0563934445f, 0.0547654927f, 0.0521559976f, 0.0487102605f,
                                      0.0446123965f,  0.0400690958f, 0.0352925025f, 0.0304841623f, 0.02582171f,
                                      0.021449374f,   0.0174728259f, 0.0139582381f, 0.0109349545f, 0.00840083044f,
                                      0.00632916484f, 0.00467616133f};
FV_TABLE(float, fv_butter_middle, 8) = {0.126172692f,  0.120250188f,  0.104099102f,  0.0818557143f,
                                        0.0584644452f, 0.0379293561f, 0.0223511532f, 0.0119636916f};
FV_TABLE(float, fv_butter_high, 4) = {0.261008173f, 0.21276474f, 0.11524877f, 0.0414824151f};
FV_TABLE(float, fv_butter_mask, 7) = {0.15007776f,   0.140129417f,  0.114069179f, 0.080953069f,
                                      0.0500869155f, 0.0270172581f, 0.0127052804f};

/* ---- Opsin: responses of the eye's receptors, adapted to the surrounding light ------------------------------- */

#define FV_BUTTER_ABSORB_0(r, g, b)                                                                                  \
    (0.29956550340058319f * (r) + (0.63373087833825936f * (g) + (0.077705617820981968f * (b) + 1.7557483643287353f)))
#define FV_BUTTER_ABSORB_1(r, g, b)                                                                                  \
    (0.22158691104574774f * (r) + (0.69391388044116142f * (g) + (0.0987313588422f * (b) + 1.7557483643287353f)))
#define FV_BUTTER_ABSORB_2(r, g, b) (0.02f * (r) + (0.02f * (g) + (0.20480129041026129f * (b) + 12.226454707163354f)))

/*
 * Returns the light m absorbed at a sample, adapted to the light u absorbed around it. Both count as at least
 * `least`.
 */
FV_FN fv_f32 fv_butter_adapted(fv_f32 m, fv_f32 u, float least)
{
    fv_f32 around = fv_max_f32(u, fv_splat_f32(least));
    fv_f32 q = 13.3396263f * fv_vdm_log2(around + 9.9710635769299145f) + -23.16046239805755f;
    fv_f32 sensitivity = fv_max_f32(q * fv_vdm_inverse(around), fv_splat_f32(0.0001f));
    return fv_max_f32(m * sensitivity, fv_splat_f32(least));
}

FV_STRUCT(FvButterOpsin)
{
    fv_f32 x, y, b;
};

/*
 * Converts a sample's linear light to X, Y and B. (r, g, b) is the sample and (soft_r, soft_g, soft_b) its
 * surroundings, both in cd/m2.
 */
FV_FN FvButterOpsin fv_butter_opsin(fv_f32 r, fv_f32 g, fv_f32 b, fv_f32 soft_r, fv_f32 soft_g, fv_f32 soft_b)
{
    FvButterOpsin opsin;
    fv_f32 m0 = fv_butter_adapted(FV_BUTTER_ABSORB_0(r, g, b), FV_BUTTER_ABSORB_0(soft_r, soft_g, soft_b),
                                  1.7557483643287353f);
    fv_f32 m1 = fv_butter_adapted(FV_BUTTER_ABSORB_1(r, g, b), FV_BUTTER_ABSORB_1(soft_r, soft_g, soft_b),
                                  1.7557483643287353f);
    opsin.x = m0 - m1;
    opsin.y = m0 + m1;
    opsin.b = fv_butter_adapted(FV_BUTTER_ABSORB_2(r, g, b), FV_BUTTER_ABSORB_2(soft_r, soft_g, soft_b),
                                12.226454707163354f);
    return opsin;
}

/* ---- Bands ---------------------------------------------------------------------------------------------------- */

FV_FN fv_f32 fv_butter_between(fv_f32 x, fv_f32 least, fv_f32 most)
{
    return fv_min_f32(fv_max_f32(x, least), most);
}

FV_FN fv_f32 fv_butter_limited(fv_f32 x, float most)
{
    return fv_butter_between(x, fv_splat_f32(-most), fv_splat_f32(most));
}

/*
 * The lesser and the greater of two numbers, at most one of them negative. GPUs compare their bits as integers, which
 * takes one instruction instead of two.
 */
#ifdef FV_KERNEL_DIALECT_H
#define FV_BUTTER_LESSER(a, b) fv_f32_from_bits(fv_u32(min(fv_i32(fv_bits(a)), fv_i32(fv_bits(b)))))
#define FV_BUTTER_GREATER(a, b) fv_f32_from_bits(fv_u32(max(fv_i32(fv_bits(a)), fv_i32(fv_bits(b)))))
#else
#define FV_BUTTER_LESSER(a, b) fv_min_f32(a, b)
#define FV_BUTTER_GREATER(a, b) fv_max_f32(a, b)
#endif

/* Limits x as fv_butter_between() does, for bounds that are not negative. */
FV_FN fv_f32 fv_butter_inside(fv_f32 x, fv_f32 least, fv_f32 most)
{
    fv_f32 enough = FV_BUTTER_GREATER(x, least);
    return FV_BUTTER_LESSER(enough, most);
}

/* Moves x towards 0 by `width`; magnitudes up to `width` become 0. */
FV_FN fv_f32 fv_butter_shrink(fv_f32 x, float width)
{
    return x - fv_butter_limited(x, width);
}

/* Doubles x up to the magnitude `width`; beyond it, moves x away from 0 by `width`. */
FV_FN fv_f32 fv_butter_grow(fv_f32 x, float width)
{
    return x + fv_butter_limited(x, width);
}

/* Multiplies the part of x beyond `magnitude` by 0.724. */
FV_FN fv_f32 fv_butter_soften(fv_f32 x, float magnitude)
{
    fv_f32 limited = fv_butter_limited(x, magnitude);
    return (x - limited) * 0.724216145665f + limited;
}

#define FV_BUTTER_LOW_X(x) ((x)*33.832837186260f)
#define FV_BUTTER_LOW_Y(y) ((y)*14.458268100570f)
#define FV_BUTTER_LOW_B(y, b) ((-0.362267051518f * (y) + (b)) * 49.87984651440f)
#define FV_BUTTER_MIDDLE_X(x) fv_butter_shrink(x, 0.29f)
#define FV_BUTTER_MIDDLE_Y(y) fv_butter_grow(y, 0.1f)

/* Reduces the high-frequency sample x of channel X, the more the greater the sample y of channel Y is. */
FV_FN fv_f32 fv_butter_suppressed(fv_f32 x, fv_f32 y)
{
    return ((46.0f * fv_vdm_inverse(y * y + 46.0f)) * 0.346979443743f + 0.653020556257f) * x;
}

/*
 * Split a band of channel X or Y into high frequencies (its blurred samples) and highest frequencies (`all`, its
 * samples, less the blurred ones). Channel Y is softened in between.
 */
#define FV_BUTTER_HIGH_X(blurred) fv_butter_shrink(blurred, 1.5f)
#define FV_BUTTER_HIGHEST_X(all, blurred) fv_butter_shrink((all) - (blurred), 0.04f)
#define FV_BUTTER_SOFT_Y(blurred) fv_butter_soften(blurred, 28.4691806922f)
#define FV_BUTTER_HIGH_Y(softened) fv_butter_grow((softened)*2.155f, 0.132f)
#define FV_BUTTER_HIGHEST_Y(all, softened) (fv_butter_soften((all) - (softened), 5.19175294647f) * 2.69313763794f)

/* ---- Differences ---------------------------------------------------------------------------------------------- */

/* Returns x, with its sign reversed where a is negative. */
FV_FN fv_f32 fv_butter_turned(fv_f32 x, fv_f32 a)
{
    return fv_f32_from_bits(fv_bits(x) ^ (fv_bits(a) & 0x80000000u));
}

/*
 * Returns the value that is summed along lines: the difference of a and b, and more where b is below 0.55 or above
 * 1.05 times a.
 */
FV_FN fv_f32 fv_butter_lack(fv_f32 a, fv_f32 b, float n1, float k0, float k1)
{
    fv_f32 size = fv_abs_f32(a);
    fv_f32 r = fv_vdm_inverse(n1 + 0.5f * (size + fv_abs_f32(b)));
    fv_f32 along = fv_butter_turned(b, a);
    fv_f32 e = fv_butter_inside(along, 0.55f * size, 1.05f * size) - along;
    return (k0 * r) * (a - b) + fv_butter_turned((k1 * r) * e, a);
}

#define FV_BUTTER_LACK_HIGHEST_Y(a, b) fv_butter_lack(a, b, 71.7800293f, 2.49965048f, 2.03072572f)
#define FV_BUTTER_LACK_HIGHEST_X(a, b) fv_butter_lack(a, b, 5.0f, 2.18636179f, 1.77620876f)
#define FV_BUTTER_LACK_HIGH_Y(a, b) fv_butter_lack(a, b, 4498534.5f, 990398.188f, 804603.312f)
#define FV_BUTTER_LACK_HIGH_X(a, b) fv_butter_lack(a, b, 8051.1582f, 34086.25f, 27691.8008f)
#define FV_BUTTER_LACK_MIDDLE_Y(a, b) fv_butter_lack(a, b, 130262056.0f, 40359140.0f, 32787922.0f)
#define FV_BUTTER_LACK_MIDDLE_X(a, b) fv_butter_lack(a, b, 1009002.69f, 4662043.5f, 3787462.0f)

FV_FN fv_f32 fv_butter_squared(fv_f32 x)
{
    return x * x;
}

/*
 * Sums the energy along lines through a sample, `middle`. P(dx, dy) is the sum of the two samples at the offsets (dx,
 * dy) and (-dx, -dy). P is evaluated several times with the same arguments.
 */
#define FV_BUTTER_LINE_2(middle, p, q) fv_butter_squared((middle) + (p) + (q))
#define FV_BUTTER_LINE_3(middle, p, q, r) fv_butter_squared((middle) + (p) + (q) + (r))
#define FV_BUTTER_LINE_4(middle, p, q, r, s) fv_butter_squared((middle) + (p) + (q) + (r) + (s))

#define FV_BUTTER_FINE(middle, P)                                                                                    \
    (FV_BUTTER_LINE_4(middle, P(1, 0), P(2, 0), P(3, 0), P(4, 0)) +                                                  \
     FV_BUTTER_LINE_4(middle, P(0, 1), P(0, 2), P(0, 3), P(0, 4)) +                                                  \
     FV_BUTTER_LINE_3(middle, P(1, 1), P(2, 2), P(3, 3)) + FV_BUTTER_LINE_3(middle, P(-1, 1), P(-2, 2), P(-3, 3)) +  \
     FV_BUTTER_LINE_3(middle, P(1, 1), P(1, 2), P(2, 3)) + FV_BUTTER_LINE_3(middle, P(-1, 1), P(-1, 2), P(-2, 3)) +  \
     FV_BUTTER_LINE_3(middle, P(1, 1), P(2, 1), P(3, 2)) + FV_BUTTER_LINE_3(middle, P(-1, 1), P(-2, 1), P(-3, 2)) +  \
     2.0f * FV_BUTTER_LINE_4(middle, P(0, 1), P(-1, 2), P(-1, 3), P(-1, 4)) +                                        \
     2.0f * FV_BUTTER_LINE_4(middle, P(0, 1), P(1, 2), P(1, 3), P(1, 4)) +                                           \
     2.0f * FV_BUTTER_LINE_4(middle, P(1, 0), P(2, 1), P(3, 1), P(4, 1)) +                                           \
     2.0f * FV_BUTTER_LINE_4(middle, P(1, 0), P(-2, 1), P(-3, 1), P(-4, 1)))

#define FV_BUTTER_COARSE(middle, P)                                                                                  \
    (FV_BUTTER_LINE_2(middle, P(2, 0), P(4, 0)) + FV_BUTTER_LINE_2(middle, P(0, 2), P(0, 4)) +                       \
     FV_BUTTER_LINE_2(middle, P(2, 2), P(3, 3)) + FV_BUTTER_LINE_2(middle, P(-2, 2), P(-3, 3)) +                     \
     FV_BUTTER_LINE_2(middle, P(-1, 2), P(-1, 4)) + FV_BUTTER_LINE_2(middle, P(1, 2), P(1, 4)) +                     \
     FV_BUTTER_LINE_2(middle, P(2, 1), P(4, 1)) + FV_BUTTER_LINE_2(middle, P(-2, 1), P(-4, 1)) +                     \
     FV_BUTTER_LINE_2(middle, P(1, 2), P(2, 3)) + FV_BUTTER_LINE_2(middle, P(-1, 2), P(-2, 3)) +                     \
     FV_BUTTER_LINE_2(middle, P(2, 1), P(3, 2)) + FV_BUTTER_LINE_2(middle, P(-2, 1), P(-3, 2)) +                     \
     FV_BUTTER_LINE_2(middle, P(-2, 1), P(-4, 2)) + FV_BUTTER_LINE_2(middle, P(2, 1), P(4, 2)) +                     \
     FV_BUTTER_LINE_2(middle, P(1, 2), P(2, 4)) + FV_BUTTER_LINE_2(middle, P(-1, 2), P(-2, 4)))

/* The weighted square of the difference of a and b. */
FV_FN fv_f32 fv_butter_square(fv_f32 a, fv_f32 b, float weight)
{
    return fv_butter_squared(a - b) * weight;
}

/* Returns the weighted square of the distance of b from the range [0.4 a, a]. */
FV_FN fv_f32 fv_butter_outside(fv_f32 a, fv_f32 b, float weight)
{
    fv_f32 size = fv_abs_f32(a), along = fv_butter_turned(b, a);
    return fv_butter_squared(fv_butter_inside(along, 0.4f * size, size) - along) * weight;
}

/* Weights of the squared differences in each band and channel. */
#define FV_BUTTER_HIGH_WEIGHT_X 320.0f
#define FV_BUTTER_HIGH_WEIGHT_Y 1.206525624944f
#define FV_BUTTER_MIDDLE_WEIGHT_X 2150.0f
#define FV_BUTTER_MIDDLE_WEIGHT_Y 10.6195433239f
#define FV_BUTTER_MIDDLE_WEIGHT_B 16.2176043152f
#define FV_BUTTER_LOW_WEIGHT_X 29.2353797994f
#define FV_BUTTER_LOW_WEIGHT_Y 0.844626970982f
#define FV_BUTTER_LOW_WEIGHT_B 0.703646627719f

/* ---- Masking -------------------------------------------------------------------------------------------------- */

/* Returns the square root of x >= 0, and 0 where x is below 2^-60. */
FV_FN fv_f32 fv_butter_root(fv_f32 x)
{
    fv_f32 least = fv_splat_f32(8.67361738e-19f);
    return fv_sqrt(fv_sel_f32(x < least, fv_splat_f32(0.0f), x));
}

/* Returns the activity of a frame at a sample, from its two highest bands. */
FV_FN fv_f32 fv_butter_activity(fv_f32 highest_x, fv_f32 high_x, fv_f32 highest_y, fv_f32 high_y)
{
    fv_f32 x = (highest_x + high_x) * 2.5f, y = highest_y * 0.4f + high_y * 0.4f;
    fv_f32 m = fv_butter_root(x * x + y * y);
    return fv_max_f32(fv_sqrt(6.19424080439f * m + 78.1125107f) - 8.83812809f, fv_splat_f32(0.0f));
}

#define FV_BUTTER_NO_ACTIVITY 1e30f /* activity of neighbours outside the picture */

/* The three smallest of the numbers that were added so far. */
FV_STRUCT(FvButterLeast)
{
    fv_f32 first, second, third;
};

FV_FN FvButterLeast fv_butter_least(fv_f32 activity)
{
    FvButterLeast least;
    least.first = activity;
    least.second = least.third = 2.0f * activity;
    return least;
}

FV_FN FvButterLeast fv_butter_with(FvButterLeast least, fv_f32 x)
{
    FvButterLeast with;
    fv_f32 above = FV_BUTTER_GREATER(least.first, x), next = FV_BUTTER_GREATER(least.second, above);
    with.first = FV_BUTTER_LESSER(least.first, x);
    with.second = FV_BUTTER_LESSER(least.second, above);
    with.third = FV_BUTTER_LESSER(least.third, next);
    return with;
}

#define FV_BUTTER_EROSION(least) ((0.45f * (least).first + 0.3f * (least).second) + 0.25f * (least).third)

FV_FN fv_f32 fv_butter_gain(fv_f32 erosion, float offset, float scale, float factor)
{
    fv_f32 c = factor * fv_vdm_inverse(scale * erosion + offset);
    return fv_butter_squared(0.0709222406f * (1.0f + c));
}

/*
 * Returns a level's distance at a sample. low: its differences in low frequencies; above: its differences in all
 * higher frequencies.
 */
FV_FN fv_f32 fv_butter_distance(fv_f32 low, fv_f32 above, fv_f32 erosion)
{
    fv_f32 high_gain = fv_butter_gain(erosion, 0.829591754942f, 0.451936922203f, 2.5485944793f);
    fv_f32 low_gain = fv_butter_gain(erosion, 0.20025578522f, 3.87449418804f, 0.505054525019f);
    return fv_butter_root(low * low_gain + above * high_gain);
}

#define FV_BUTTER_BOTH(full, half) ((full)*0.85f + 0.5f * (half))

/* ---- Sums ------------------------------------------------------------------------------------------------------ */

#define FV_BUTTER_NORMS 4 /* number of powers that are summed */

/* The powers of a distance that the norms add up. */
FV_STRUCT(FvButterPowers)
{
    fv_f32 third, sixth, twelfth, fifth;
};

FV_FN FvButterPowers fv_butter_powers(fv_f32 distance)
{
    FvButterPowers powers;
    fv_f32 d = fv_sel_f32(distance < fv_splat_f32(0.00390625f), fv_splat_f32(0.0f),
                          fv_min_f32(distance, fv_splat_f32(1024.0f)));
    fv_f32 square = d * d;
    powers.third = d * square;
    powers.sixth = powers.third * powers.third;
    powers.twelfth = powers.sixth * powers.sixth;
    powers.fifth = powers.third * square;
    return powers;
}

#endif
