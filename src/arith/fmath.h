/*
 * Correctly rounded division and square root from integers and + - x alone, for devices whose own do not round
 * correctly. An approximate result q is a few units off. The exact remainder fits 32 bits although its terms do not,
 * and gives the error of q within 2^-18 of a unit. Where an error of 2^-16 would change the rounded sum of q and its
 * correction, the result is near a tie, and the remainder of that tie decides. That remainder is never 0.
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

/* x times 2^n; the result must be normal too. */
FV_FN fv_f32 fv_scaled(fv_f32 x, fv_i32 n)
{
    return fv_f32_from_bits(fv_bits(x) + (fv_u32_from_i32(n) << 23));
}

/* The number of fraction bits in the 24-bit significand of a number in [0.5, 4). */
FV_FN fv_u32 fv_places(fv_f32 x)
{
    return 150u - (fv_bits(x) >> 23);
}

FV_FN fv_f32 fv_div_exact(fv_f32 a, fv_f32 b)
{
    fv_u32 a_bits = fv_bits(a), b_bits = fv_bits(b);
    fv_u32 m = fv_significand(a_bits), n = fv_significand(b_bits);
    fv_f32 x = fv_f32_from_bits((a_bits & 0x7fffffu) | 0x3f800000u);
    fv_f32 y = fv_reciprocal_near(fv_f32_from_bits((b_bits & 0x7fffffu) | 0x3f800000u));
    fv_f32 q = x * y, power = fv_f32_from_bits(fv_bits(q) & 0x7f800000u);
    fv_i32 r = fv_i32_from_u32((m << fv_places(q)) - fv_significand(fv_bits(q)) * n);
    fv_f32 lack = fv_f32_from_i32(r) * y * fv_scaled(power, -46), error = fv_scaled(power, -39);
    fv_f32 least = q + (lack - error), most = q + (lack + error);
    if (least != most) {
        fv_u32 middle = 2u * fv_significand(fv_bits(least)) + 1u;
        least = fv_i32_from_u32((m << (fv_places(least) + 1u)) - middle * n) < 0 ? least : most;
    }
    fv_u32 bits = fv_bits(least) + (a_bits & 0x7f800000u) - (b_bits & 0x7f800000u);
    bits = (a_bits & 0x7fffffffu) == 0u ? 0u : bits;
    return fv_f32_from_bits(bits | ((a_bits ^ b_bits) & 0x80000000u));
}

/*
 * Returns a / b for a constant b; inverse: 1 / b, rounded. The product a * inverse is corrected by at most one unit.
 * A test must show for each constant, over all significands of a, that this is enough (tests/unit/fmath.c).
 */
FV_FN fv_f32 fv_div_constant(fv_f32 a, fv_f32 b, fv_f32 inverse)
{
    fv_f32 q = a * inverse;
    fv_u32 a_bits = fv_bits(a), b_bits = fv_bits(b), bits = fv_bits(q);
    fv_u32 shift = ((a_bits >> 23) - (b_bits >> 23) - (bits >> 23) + 150u) & 31u; /* masked for a = 0 */
    fv_i32 n = fv_i32_from_u32(fv_significand(b_bits));
    fv_i32 r = fv_i32_from_u32((fv_significand(a_bits) << shift) - fv_significand(bits) * fv_significand(b_bits));
    fv_i32 twice = fv_i32_from_u32(fv_u32_from_i32(r) * 2u);
    bits = fv_sel_u32(twice > n, bits + 1u, bits);
    bits = fv_sel_u32(twice < -n, bits - 1u, bits);
    return fv_sel_f32(a > fv_splat_f32(0.0f), fv_f32_from_bits(bits), fv_splat_f32(0.0f));
}

FV_FN fv_f32 fv_sqrt_exact(fv_f32 a)
{
    /* The root of x in [1, 4) is x * y, where y is near 1 / sqrt(x). */
    fv_u32 bits = fv_bits(a), odd = ((bits >> 23) & 1u) ^ 1u, x_bits = (bits & 0x7fffffu) + 0x3f800000u + (odd << 23);
    fv_u32 m = fv_significand(bits) << odd;
    fv_f32 x = fv_f32_from_bits(x_bits), half_x = 0.5f * x, y = fv_f32_from_bits(0x5f3759dfu - (x_bits >> 1));
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    fv_f32 q = x * y, power = fv_f32_from_bits(fv_bits(q) & 0x7f800000u);
    fv_u32 s = fv_significand(fv_bits(q)), places = fv_places(q);
    fv_i32 r = fv_i32_from_u32((m << (2u * places - 23u)) - s * s);
    fv_f32 unit = fv_f32_from_bits((127u - places) << 23);
    fv_f32 lack = fv_f32_from_i32(r) * (0.5f * y) * (unit * unit), error = fv_scaled(power, -39);
    fv_f32 least = q + (lack - error), most = q + (lack + error);
    if (least != most) {
        fv_u32 middle = 2u * fv_significand(fv_bits(least)) + 1u;
        least = fv_i32_from_u32((m << (2u * fv_places(least) - 21u)) - middle * middle) < 0 ? least : most;
    }
    /* Adds half of the exponent, which is even once the odd power is moved into x. */
    fv_u32 root = fv_bits(least) + (((bits >> 23) - odd - 127u) << 22);
    return fv_f32_from_bits((bits & 0x7fffffffu) == 0u ? bits : root);
}

#endif
