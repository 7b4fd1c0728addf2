/*
 * CAMBI, the formulas per sample. Counts, depth conversion and filters are integers; the contrast term is two float
 * products in stated order. docs/metrics/cambi.md
 */
#ifndef FV_ARITH_CAMBI_H
#define FV_ARITH_CAMBI_H

/* The weight of a contrast of d + 1 codes, at index d. */
FV_TABLE(float, fv_cambi_weight, 32) = {1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
                                        8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

/* Reduces a sample of 10 + shift bits to 10 bits, rounded half up without a wider type. */
FV_FN fv_u16 fv_cambi_narrow(fv_u16 v, int shift)
{
    return fv_shr_u16(v, shift) + (fv_shr_u16(v, shift - 1) & 1);
}

/*
 * Removes dither: the mean of a sample a and its right, lower and diagonal neighbours. At an edge, a missing
 * neighbour is replaced by the nearest sample.
 */
FV_FN fv_u16 fv_cambi_undither(fv_u16 a, fv_u16 b, fv_u16 c, fv_u16 d)
{
    return (a + b + c + d) >> 2;
}

/* The value that occurs at least twice, or else the smallest one. */
FV_FN fv_i16 fv_cambi_mode3(fv_i16 a, fv_i16 b, fv_i16 c)
{
    fv_i16 least = fv_min_i16(a, fv_min_i16(b, c));
    return fv_sel_i16(fv_or(a == b, a == c), a, fv_sel_i16(b == c, b, least));
}

/*
 * Returns the banding in one window between `own` pixels of one value and `other` pixels of a value d codes away;
 * reciprocal = R(own + other). weight * own stays below 2^24, so the second product is the exact integer
 * weight * own * other rounded once.
 */
FV_FN fv_f32 fv_cambi_term(float weight, fv_f32 own, fv_f32 other, fv_f32 reciprocal)
{
    return weight * own * other * reciprocal;
}

/*
 * Returns R(n), which is 1 / n rounded to nine significant digits and then to binary32, for
 * 0 < n < FV_CAMBI_QUOTIENTS. There it equals the rounded quotient.
 */
#define FV_CAMBI_QUOTIENTS 82
FV_FN fv_f32 fv_cambi_quotient(fv_i32 n)
{
    return fv_div(fv_splat_f32(1), fv_f32_from_i32(n));
}

/*
 * Returns R(n) for 0 < n < FV_CAMBI_NEARLY_QUOTIENTS. It equals the rounded quotient except for three n, for which
 * the rounding to nine digits crosses a tie between two floats.
 */
#define FV_CAMBI_NEARLY_QUOTIENTS 488
FV_FN fv_f32 fv_cambi_reciprocal(fv_i32 n)
{
    fv_i32 above = fv_sel_i32(fv_or((n | 1) == 83, n == 244), fv_splat_i32(-1),
                              fv_splat_i32(0)); /* the mask: -1 for the three n */
    return fv_f32_from_bits(fv_bits(fv_cambi_quotient(n)) - fv_u32_from_i32(above));
}

#endif
