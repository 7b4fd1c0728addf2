/*
 * The visual discrimination model: the formulas of one sample, in binary32. docs/metrics/vdm.md
 *
 * Every + - * is one rounded operation in the order written. Logarithms, powers and quotients of samples come from
 * the polynomials below, which are part of the definition: devices agree whatever the polynomials' errors are.
 */
#ifndef FV_ARITH_VDM_H
#define FV_ARITH_VDM_H

#define FV_VDM_DARKEST 0.0009765625f /* minimum luminance in cd/m2, 2^-10 */
#define FV_VDM_BRIGHTEST 16383.0f    /* luminance in cd/m2 at which the table of weights ends */
#define FV_VDM_LIMIT 63.0f           /* maximum JND in a sum; a greater JND is limited to it */

#ifdef FV_KERNEL_DIALECT_H
#define fv_vdm_small(i) fv_f32_from_small(i)
#else
#define fv_vdm_small(i) fv_f32_from_i32(i)
#endif

/* ---- Functions ---------------------------------------------------------------------------------------------- */

/* log2 of a positive normal number; the relative error near 1 is at most 1.9e-7. */
FV_FN fv_f32 fv_vdm_log2(fv_f32 x)
{
    fv_i32 bits = fv_i32_from_u32(fv_bits(x));
    fv_i32 k = (bits - 0x3f2aaaab) >> 23;
    fv_f32 t = fv_f32_from_bits(fv_bits(x) - (fv_u32_from_i32(k) << 23)) - 1.0f;
    fv_f32 p = 0.21185037f * t - 0.22577344f;
    p = p * t + 0.19960831f;
    p = p * t - 0.23603125f;
    p = p * t + 0.28888455f;
    p = p * t - 0.36083794f;
    p = p * t + 0.4808911f;
    p = p * t - 0.72134566f;
    p = p * t + 1.442695f;
    return fv_vdm_small(k) + t * p;
}

/* 2^y for y in [-126, 126], with a relative error of at most 9.9e-8. */
FV_FN fv_f32 fv_vdm_exp2_inside(fv_f32 y)
{
    fv_f32 r = y + 12582912.0f;
    fv_f32 f = y - (r - 12582912.0f);
    fv_f32 p = 0.00015345812f * f + 0.0013399931f;
    p = p * f + 0.009618489f;
    p = p * f + 0.055503286f;
    p = p * f + 0.24022646f;
    p = p * f + 0.6931472f;
    p = p * f + 1.0f;
    return fv_f32_from_bits(fv_bits(p) + ((fv_bits(r) - 0x4b400000u) << 23));
}

/* 2^y with y limited to [-126, 126]. */
FV_FN fv_f32 fv_vdm_exp2(fv_f32 y)
{
    return fv_vdm_exp2_inside(fv_min_f32(fv_max_f32(y, fv_splat_f32(-126.0f)), fv_splat_f32(126.0f)));
}

/* 1 / b for positive b, with a relative error of at most 1.5e-7. */
FV_FN fv_f32 fv_vdm_inverse(fv_f32 b)
{
    fv_f32 r = fv_f32_from_bits(0x7ef311c3u - fv_bits(b));
    r = r * (2.0f - b * r);
    r = r * (2.0f - b * r);
    return r * (2.0f - b * r);
}

/* |x|^e, or 0 where |x| is below `least`, which must be a normal number. */
FV_FN fv_f32 fv_vdm_power(fv_f32 x, float e, float least)
{
    fv_f32 a = fv_abs_f32(x);
    fv_f32 power = fv_vdm_exp2(e * fv_vdm_log2(fv_max_f32(a, fv_splat_f32(least))));
    return fv_sel_f32(a < fv_splat_f32(least), fv_splat_f32(0.0f), power);
}

/* ---- Pyramids ----------------------------------------------------------------------------------------------- */

/*
 * Adds one class of the point spread to y. A class is a set of `count` samples around the centre that have the same
 * weight; `sum` is their sum.
 */
FV_FN fv_f32 fv_vdm_spread(fv_f32 y, fv_f32 centre, fv_f32 sum, float count, float weight)
{
    return y + weight * (sum - count * centre);
}

/*
 * The binomial filter 1 4 6 4 1 at x. left, right, far_left, far_right: the neighbouring samples. A constant stays
 * exact.
 */
FV_FN fv_f32 fv_vdm_reduce(fv_f32 x, fv_f32 left, fv_f32 right, fv_f32 far_left, fv_f32 far_right)
{
    fv_f32 two = x + x;
    fv_f32 d1 = (left + right) - two;
    fv_f32 d2 = (far_left + far_right) - two;
    return x + (4.0f * d1 + d2) * 0.0625f;
}

/* Double the number of samples: even is the result at an input sample, odd the result between two of them. */
FV_FN fv_f32 fv_vdm_expand_even(fv_f32 x, fv_f32 left, fv_f32 right)
{
    return x + ((left + right) - (x + x)) * 0.125f;
}

FV_FN fv_f32 fv_vdm_expand_odd(fv_f32 left, fv_f32 right)
{
    return (left + right) * 0.5f;
}

/* Returns the adaptation luminance from the mean two levels coarser, limited to the model's range. */
FV_FN fv_f32 fv_vdm_adaptation(fv_f32 mean)
{
    return fv_max_f32(mean, fv_splat_f32(FV_VDM_DARKEST));
}

FV_FN fv_f32 fv_vdm_contrast(fv_f32 gauss, fv_f32 mean, fv_f32 adaptation)
{
    return (gauss - mean) * fv_vdm_inverse(adaptation);
}

/* ---- Sensitivity: a table with 8 nodes per octave of luminance, linear between them ------------------------- */

FV_FN fv_f32 fv_vdm_weight_luminance(fv_f32 adaptation)
{
    return fv_min_f32(adaptation, fv_splat_f32(FV_VDM_BRIGHTEST));
}

/*
 * fv_vdm_weight_node() returns the index of the node below a luminance. fv_vdm_weight() interpolates linearly between
 * `node` and `next`, the weights at that node and at the following one.
 */
FV_FN fv_i32 fv_vdm_weight_node(fv_f32 luminance)
{
    return fv_i32_from_u32((fv_bits(luminance) >> 20) - 936u);
}

FV_FN fv_f32 fv_vdm_weight(fv_f32 luminance, fv_f32 node, fv_f32 next)
{
    fv_f32 t = fv_f32_from_i32(fv_i32_from_u32(fv_bits(luminance) & 0xfffffu)) * 9.5367431640625e-07f;
    return node + t * (next - node);
}

/* ---- Oriented energy: second derivative of a Gaussian and its Hilbert partner (Freeman and Adelson, 1991) ---- */

/* Eleven samples along a line, as the filters need them: the middle one, and the pairs at the distances 1 to 5. */
FV_STRUCT(FvVdmEleven)
{
    fv_f32 middle, sum1, sum2, sum3, sum4, sum5, difference1, difference2, difference3, difference4, difference5;
};

#define FV_VDM_EVEN(name, k0, k1, k2, k3, k4, k5)                                                                    \
    FV_FN fv_f32 name(FvVdmEleven x)                                                                                 \
    {                                                                                                                \
        fv_f32 y = k0 * x.middle + k1 * x.sum1;                                                                      \
        y = y + k2 * x.sum2;                                                                                         \
        y = y + k3 * x.sum3;                                                                                         \
        y = y + k4 * x.sum4;                                                                                         \
        return y + k5 * x.sum5;                                                                                      \
    }
#define FV_VDM_ODD(name, k1, k2, k3, k4, k5)                                                                         \
    FV_FN fv_f32 name(FvVdmEleven x)                                                                                 \
    {                                                                                                                \
        fv_f32 y = k1 * x.difference1 + k2 * x.difference2;                                                          \
        y = y + k3 * x.difference3;                                                                                  \
        y = y + k4 * x.difference4;                                                                                  \
        return y + k5 * x.difference5;                                                                               \
    }

/*
 * Filter taps at x = 0.67 i with e = exp(-x^2): m0 is e, m1 is x e, g2 is (x^2 - 0.5) e made to add up to 0, h2 is
 * (x^2 - 0.7515) e, and h3 is (x^3 - 2.254 x) e.
 */
FV_VDM_EVEN(fv_vdm_m0, 1.0f, 0.6383299f, 0.1660278f, 0.017595712f, 0.00075984205f, 1.3369962e-05f)
FV_VDM_ODD(fv_vdm_m1, 0.42768106f, 0.22247726f, 0.03536738f, 0.0020363766f, 4.4789373e-05f)
FV_VDM_EVEN(fv_vdm_g2, -0.49999884f, -0.032617923f, 0.21510582f, 0.0622906f, 0.0050775693f, 0.00014335943f)
FV_VDM_EVEN(fv_vdm_h2, -0.7515f, -0.19315864f, 0.17334963f, 0.057865262f, 0.004886468f, 0.00013999688f)
FV_VDM_ODD(fv_vdm_h3, -0.77200705f, -0.10198358f, 0.06316968f, 0.010036078f, 0.00040169348f)

/* The energies at 0, 45, 90 and 135 degrees; 0 degrees responds to vertical stripes. */
FV_STRUCT(FvVdmFour)
{
    fv_f32 at0, at45, at90, at135;
};

FV_FN fv_f32 fv_vdm_energy_of(fv_f32 g, fv_f32 h)
{
    return 0.15085992f * (g * g) + 0.04909824f * (h * h);
}

/*
 * Returns the energies from seven separable products, named "column filter (row filter)": ga = m0(g2), gb = m1(m1),
 * gc = g2(m0); ha = m0(h3), hb = m1(h2), hc = h2(m1), hd = h3(m0).
 */
FV_FN FvVdmFour fv_vdm_energy(fv_f32 ga, fv_f32 gb, fv_f32 gc, fv_f32 ha, fv_f32 hb, fv_f32 hc, fv_f32 hd)
{
    fv_f32 g = (ga + gc) * 0.5f;
    fv_f32 p = ha + 3.0f * hc;
    fv_f32 q = hd + 3.0f * hb;
    FvVdmFour energy;
    energy.at0 = fv_vdm_energy_of(ga, ha);
    energy.at45 = fv_vdm_energy_of(g - gb, 0.35355338f * (p - q));
    energy.at90 = fv_vdm_energy_of(gc, hd);
    energy.at135 = fv_vdm_energy_of(g + gb, 0.35355338f * (p + q));
    return energy;
}

/* ---- Response and distance ---------------------------------------------------------------------------------- */

/*
 * Returns (1 + kappa) A^n / (kappa + A^(n - w)), where A^2 is the energy times the weight. half_n = n / 2;
 * half_difference = (n - w) / 2; gain = 1 + kappa; square: whether n - w is 2, one int for all lanes.
 */
FV_FN fv_f32 fv_vdm_response(fv_f32 energy, fv_f32 weight, float half_n, float half_difference, float kappa,
                             float gain, int square)
{
    fv_f32 x =
        fv_min_f32(fv_max_f32(energy * weight, fv_splat_f32(9.313225746154785e-10f)), fv_splat_f32(1099511627776.0f));
    fv_f32 octaves = fv_vdm_log2(x);
    /* |octaves| <= 40 and exponents are at most 2, so the powers are in range. */
    fv_f32 numerator = fv_vdm_exp2_inside(half_n * octaves);
    fv_f32 power = x;
    if (square == 0)
        power = fv_vdm_exp2_inside(half_difference * octaves);
    return (gain * numerator) * fv_vdm_inverse(kappa + power);
}

/* The mean of five numbers, added from left to right. */
FV_FN fv_f32 fv_vdm_mean5(fv_f32 a, fv_f32 b, fv_f32 c, fv_f32 d, fv_f32 e)
{
    return ((((a + b) + c) + d) + e) * 0.2f;
}

#define FV_VDM_LEAST_DIFFERENCE 1.52587890625e-05f /* 2^-16 */
#define FV_VDM_LEAST_SUM 9.094947017729282e-13f    /* 2^-40 */

/* Returns the term of one orientation in a level's sum of powers. */
FV_FN fv_f32 fv_vdm_distance(fv_f32 difference, float q)
{
    return fv_vdm_power(difference, q, FV_VDM_LEAST_DIFFERENCE);
}

/* Returns the JND from the sum of powers over all channels; inverse_q: 1 / q. */
FV_FN fv_f32 fv_vdm_jnd(fv_f32 sum, float inverse_q)
{
    return fv_vdm_power(sum, inverse_q, FV_VDM_LEAST_SUM);
}

/* Returns the probability that a difference is seen, corrected for guessing: 1 - 2^-(J^slope). */
FV_FN fv_f32 fv_vdm_probability(fv_f32 jnd, float slope)
{
    fv_f32 power = fv_vdm_power(jnd, slope, FV_VDM_LEAST_DIFFERENCE);
    return 1.0f - fv_vdm_exp2(0.0f - fv_min_f32(power, fv_splat_f32(126.0f)));
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

/* Does one frame's step of a first-order low-pass filter: moves the state towards x by `share` of the distance. */
FV_FN fv_f32 fv_vdm_follow(fv_f32 state, fv_f32 x, float share)
{
    return state + share * (x - state);
}

/*
 * Returns the response to temporal change: the contrast of the transient channel times its sensitivity, through the
 * transducer.
 */
FV_FN fv_f32 fv_vdm_transient(fv_f32 flicker, float sensitivity, float half_n, float half_difference, float kappa,
                              float gain, int square)
{
    fv_f32 u = flicker * sensitivity;
    return fv_vdm_response(u * u, fv_splat_f32(1.0f), half_n, half_difference, kappa, gain, square);
}

#endif
