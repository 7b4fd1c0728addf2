/*
 * Division and square root, correctly rounded, from integers and + - x alone: for readers that do not round correctly
 * themselves. A value is split into its 24-bit significand and its exponent; an approximate result is corrected by
 * the exact remainder, which fits 32 bits although its terms do not.
 *
 * Operands and results are normal numbers or zero; anything else gives an unspecified number.
 */
#ifndef FV_ARITH_FMATH_H
#define FV_ARITH_FMATH_H

FV_FN fv_u32 fv_significand(fv_u32 bits)
{
    return (bits & 0x7fffffu) | 0x800000u;
}

/* 1 / x within 2^-22 for x in [1, 2). */
FV_FN fv_f32 fv_reciprocal_near(fv_f32 x)
{
    fv_f32 y = 1.45710678f - 0.5f * x;
    y = y * (2.0f - x * y);
    y = y * (2.0f - x * y);
    return y * (2.0f - x * y);
}

FV_FN fv_f32 fv_div_exact(fv_f32 a, fv_f32 b)
{
    fv_u32 a_bits = fv_bits(a), b_bits = fv_bits(b);
    fv_u32 sign = (a_bits ^ b_bits) & 0x80000000u;
    fv_u32 m = fv_significand(a_bits), n = fv_significand(b_bits);
    fv_f32 x = fv_f32_from_bits((a_bits & 0x7fffffu) | 0x3f800000u);
    fv_f32 y = fv_reciprocal_near(fv_f32_from_bits((b_bits & 0x7fffffu) | 0x3f800000u));
    fv_mask less = m < n;
    /* q = floor(m * 2^k / n) has 24 bits when k is 24 for m < n and else 23. */
    fv_f32 scale = fv_sel_f32(less, fv_splat_f32(16777216.0f), fv_splat_f32(8388608.0f));
    fv_i32 q = fv_i32_from_f32(x * y * scale);
    fv_u32 high = fv_sel_u32(less, m << 24, m << 23);
    fv_i32 r = fv_i32_from_u32(high - fv_u32_from_i32(q) * n);
    fv_i32 step = fv_i32_from_f32(fv_f32_from_i32(r) * y * 1.1920929e-07f);
    fv_i32 divisor = fv_i32_from_u32(n);
    q = q + step;
    r = r - step * divisor;
    fv_mask over = r < fv_splat_i32(0);
    q = fv_sel_i32(over, q - 1, q);
    r = fv_sel_i32(over, r + divisor, r);
    fv_mask under = r >= divisor;
    q = fv_sel_i32(under, q + 1, q);
    r = fv_sel_i32(under, r - divisor, r);
    /* A tie cannot occur: it would need a 25-bit quotient without remainder. */
    q = fv_sel_i32(r + r > divisor, q + 1, q);
    fv_i32 exponent = fv_i32_from_u32((a_bits >> 23) & 0xffu) - fv_i32_from_u32((b_bits >> 23) & 0xffu) + 126;
    exponent = fv_sel_i32(less, exponent - 1, exponent);
    /* The hidden bit of q adds one to the exponent, and a carry out of q one more. */
    fv_u32 bits = (fv_u32_from_i32(exponent) << 23) + fv_u32_from_i32(q);
    fv_mask zero = (a_bits & 0x7fffffffu) == fv_splat_u32(0u);
    return fv_f32_from_bits(fv_sel_u32(zero, fv_splat_u32(0u), bits) | sign);
}

/*
 * a / b for a constant b, with inverse = 1 / b rounded. The product a * inverse is corrected by one unit at most;
 * that this is enough has to be shown for each constant over all significands of a (tests/unit/fmath.c).
 */
FV_FN fv_f32 fv_div_constant(fv_f32 a, fv_f32 b, fv_f32 inverse)
{
    fv_f32 q = a * inverse;
    fv_u32 a_bits = fv_bits(a), b_bits = fv_bits(b), bits = fv_bits(q);
    fv_u32 shift = ((a_bits >> 23) - (b_bits >> 23) - (bits >> 23) + 150u) & 31u; /* a = 0 would leave the range */
    fv_i32 n = fv_i32_from_u32(fv_significand(b_bits));
    fv_i32 r = fv_i32_from_u32((fv_significand(a_bits) << shift) - fv_significand(bits) * fv_significand(b_bits));
    fv_i32 twice = fv_i32_from_u32(fv_u32_from_i32(r) * 2u);
    bits = fv_sel_u32(twice > n, bits + 1u, bits);
    bits = fv_sel_u32(twice < -n, bits - 1u, bits);
    return fv_sel_f32(a > fv_splat_f32(0.0f), fv_f32_from_bits(bits), fv_splat_f32(0.0f));
}

FV_FN fv_f32 fv_sqrt_exact(fv_f32 a)
{
    fv_u32 bits = fv_bits(a);
    fv_u32 odd = ((bits >> 23) & 1u) ^ 1u;
    fv_u32 m = fv_significand(bits);
    /* The root of x in [1, 4) is x * y with y near 1 / sqrt(x). */
    fv_u32 x_bits = (bits & 0x7fffffu) |
                    fv_sel_u32(odd == fv_splat_u32(1u), fv_splat_u32(0x40000000u), fv_splat_u32(0x3f800000u));
    fv_f32 x = fv_f32_from_bits(x_bits);
    fv_f32 y = fv_f32_from_bits(0x5f3759dfu - (x_bits >> 1));
    fv_f32 half_x = 0.5f * x;
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    fv_i32 s = fv_i32_from_f32(x * y * 8388608.0f);
    fv_u32 high = fv_sel_u32(odd == fv_splat_u32(1u), m << 24, m << 23);
    fv_i32 r = fv_i32_from_u32(high - fv_u32_from_i32(s) * fv_u32_from_i32(s));
    fv_i32 step = fv_i32_from_f32(fv_f32_from_i32(r) * y * 5.9604645e-08f);
    r = r - step * (s + s + step);
    s = s + step;
    fv_mask over = r < fv_splat_i32(0);
    s = fv_sel_i32(over, s - 1, s);
    r = fv_sel_i32(over, r + s + s + 1, r);
    fv_mask under = r > s + s;
    r = fv_sel_i32(under, r - s - s - 1, r);
    s = fv_sel_i32(under, s + 1, s);
    s = fv_sel_i32(r > s, s + 1, s);
    /* The hidden bit of s adds one to the exponent. */
    fv_u32 exponent = (((bits >> 23) + 1u - odd) >> 1) + 62u;
    return fv_f32_from_bits(
        fv_sel_u32((bits & 0x7fffffffu) == fv_splat_u32(0u), bits, (exponent << 23) + fv_u32_from_i32(s)));
}

#endif
