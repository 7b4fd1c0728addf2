/*
 * Visual information fidelity (VIF) of VMAF: the formulas of one sample. docs/metrics/vif.md
 *
 * The weights of a filter add up to 2^16. Numbers above 16 bits are weighted as two halves of 16 bits each, so that
 * every sum fits an unsigned 32-bit word.
 */
#ifndef FV_ARITH_VIF_H
#define FV_ARITH_VIF_H

/*
 * Filter weights of the four scales from the centre outwards: 9, 5, 3 and 2 weights of symmetric filters of 17, 9, 5
 * and 3 taps.
 */
/* clang-format off */
FV_TABLE(int, fv_vif_weight, 36) = {
    7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489,
    14692, 12590, 7925, 3663, 1244, 0, 0, 0, 0,
    26386, 16004, 3571, 0, 0, 0, 0, 0, 0,
    43728, 10904, 0, 0, 0, 0, 0, 0, 0,
};
/* clang-format on */

/* Radius of the filter of each scale in samples: 8, 4, 2, 1. */
#define FV_VIF_REACH(scale) (8 >> (scale))

/* Variance of the noise of the visual system, 2.0, in units of 2^-16. */
#define FV_VIF_NOISE 131072

/* Returns the mean of products, less the rounded product of means. It may be negative. */
FV_FN fv_i32 fv_vif_covariance(fv_u32 mean_of_product, fv_u32 mean_a, fv_u32 mean_b)
{
    return fv_i32_from_u32(mean_of_product - fv_rounded_high_product(mean_a, mean_b));
}

/*
 * Returns the gain of the signal in the distorted frame over the reference's; variance and covariance are whole
 * numbers.
 */
FV_FN fv_f64 fv_vif_gain(fv_f64 variance, fv_f64 covariance)
{
    return fv_div_f64(covariance, variance + FV_F64(6.5536e-06));
}

/* The integer part of x in [0, 2^51). */
FV_FN fv_f64 fv_vif_whole(fv_f64 x)
{
#ifdef FV_OWN_WHOLE
    return fv_whole_f64(x);
#else
    fv_f64 near = (x + FV_F64(4503599627370496.0)) - FV_F64(4503599627370496.0);
    return fv_sel_f64(near > x, near - FV_F64(1.0), near);
#endif
}

/* Returns the variance of the distorted frame that is not signal. */
FV_FN fv_f64 fv_vif_rest(fv_f64 variance, fv_f64 gain, fv_f64 covariance)
{
    return fv_max_f64(variance - gain * covariance, fv_splat_f64(FV_F64(0.0)));
}

/* Returns the variance of the signal, with its gain limited to `limit`. */
FV_FN fv_f64 fv_vif_signal(fv_f64 gain, fv_f64 limit, fv_f64 variance)
{
    fv_f64 g = fv_min_f64(gain, limit);
    return (g * g) * variance;
}

/*
 * Returns the variance of the distorted frame that is not signal, plus the noise of the visual system: a whole
 * number.
 */
FV_FN fv_f64 fv_vif_noise(fv_f64 variance, fv_f64 gain, fv_f64 covariance)
{
    return fv_vif_whole(fv_vif_rest(variance, gain, covariance)) + FV_F64(131072.0);
}

/* Returns the variance of the signal plus `noise`, the result of fv_vif_noise(): a whole number. */
FV_FN fv_f64 fv_vif_total(fv_f64 gain, fv_f64 limit, fv_f64 variance, fv_f64 noise)
{
    return fv_vif_whole(fv_vif_signal(gain, limit, variance)) + noise;
}

/*
 * A table gives the logarithm of a whole number from 2^15 on, in units of 1/2048, less the logarithm of 2^(e - 16),
 * where 2^e is the number's leading power of two. Its index is the 15 bits below the leading bit. high_word is the
 * upper word of the number as a double, which holds both. The table is fv_vif_log_table of feature/vif.h.
 */
#define FV_VIF_LOGS 32768

FV_FN fv_word fv_vif_log_index(fv_word high_word)
{
    return (high_word >> 5) & 0x7fffu;
}

/*
 * The table of logarithms as line segments of 128 entries each. A word holds a segment: its value at the first entry
 * in 23 bits, in units of 2^-12, and its slope in 9 bits.
 */
#define FV_VIF_LINES 256

FV_FN fv_word fv_vif_line_index(fv_word high_word)
{
    return (high_word >> 12) & 0xffu;
}

FV_FN fv_word fv_vif_line_log(fv_word line, fv_word high_word)
{
    return ((line & 0x7fffffu) + (line >> 23) * ((high_word >> 5) & 127u)) >> 12;
}

/* Returns 2048 times the logarithm of the number's leading power of two, counted from 2^17. */
FV_FN fv_word fv_vif_log_power(fv_word high_word)
{
    return (high_word >> 20 << 11) - 2048u * (1023u + 17u);
}

#endif
