/* Codes of real numbers: how pixels of binary floating point (IEEE 754) become samples of a frame. */
#ifndef FV_ARITH_REAL_H
#define FV_ARITH_REAL_H

/* The values of FvRounding. */
#define FV_REAL_NEAREST 0u
#define FV_REAL_HALF_UP 1u

/*
 * Returns the value of a finite float, from its word without the sign, the sign, the bits of its fraction and the
 * bias of its exponent. Integers make it, because devices flush small floats.
 */
FV_FN fv_f64 fv_real_value(fv_u32 word, fv_u32 sign, fv_u32 fraction, fv_u32 bias)
{
    fv_u32 one = 1u << fraction, exponent = word >> fraction;
    fv_u32 integer = (word & (one - 1u)) | fv_sel_u32(exponent != 0u, one, 0u);
    fv_u32 power = 1023u - bias - fraction + fv_sel_u32(exponent != 0u, exponent, 1u);
    return fv_f64_from_word(integer) * fv_f64_from_words(0u, (power << 20) | (sign << 31));
}

/*
 * Returns above / span * peak, rounded to a code, for `above` from 0 to `span`. A share below 2^-60 rounds to 0 in
 * any case, and the division needs normal numbers.
 */
FV_FN fv_u32 fv_real_code(fv_f64 above, fv_f64 span, fv_f64 peak, fv_u32 rounding)
{
    fv_f64 share = fv_splat_f64(0);
    if (above >= span * FV_F64(8.673617379884035e-19))
        share = fv_div_f64(above, span);
    fv_f64 value = share * peak + fv_sel_f64(rounding == FV_REAL_HALF_UP, FV_F64(0.5), fv_splat_f64(0));
    fv_f64 nearest = value + FV_F64(4503599627370496.0); /* 2^52: the low word of the sum is the nearest integer */
    fv_u32 above_value = fv_sel_u32(nearest - FV_F64(4503599627370496.0) > value, 1u, 0u);
    return fv_low_word(nearest) - fv_sel_u32(rounding == FV_REAL_NEAREST, 0u, above_value);
}

#endif
