/*
 * What kernels need of 64-bit floats besides + - x, made from these and integers alone, for readers that do not round
 * conversions, quotients and roots correctly themselves. Operands and results are normal numbers or zero.
 */
#ifndef FV_ARITH_FMATH64_H
#define FV_ARITH_FMATH64_H

/* To 32 bits, to nearest even. */
FV_FN fv_f32 fv_narrow_exact(fv_f64 x)
{
    fv_u32 high = fv_high_word(x), low = fv_low_word(x);
    fv_u32 exponent = (high >> 20) & 0x7ffu, rest = low & 0x1fffffffu;
    fv_u32 fraction = ((high & 0xfffffu) << 3) | (low >> 29);
    fv_u32 up = fv_sel_u32(rest + (fraction & 1u) > 0x10000000u, 1u, 0u);
    fv_u32 bits = ((exponent - 896u) << 23) + fraction + up;
    bits = fv_sel_u32(exponent <= 896u, 0u, fv_sel_u32(exponent >= 1151u, 0x7f800000u, bits));
    return fv_f32_from_bits(bits | (high & 0x80000000u));
}

/*
 * a / n for an integer n of up to 26 bits. The quotient q of an approximate reciprocal is a few units off; its halves
 * times n are exact, so is the remainder, and adding remainder / n rounds once. No quotient of 53 bits by 26 lies
 * nearer than 2^-27 units to a middle between two numbers, so the error of remainder / n does not matter.
 */
FV_FN fv_f64 fv_quotient_exact(fv_f64 a, fv_f64 n)
{
    fv_f64 y = fv_f64_from_f32(fv_div(fv_splat_f32(1), fv_narrow_exact(n)));
    y = y * (FV_F64(2.0) - n * y);
    y = y * (FV_F64(2.0) - n * y);
    fv_f64 q = a * y;
    fv_f64 top = fv_f64_from_words(fv_low_word(q) & 0xf8000000u, fv_high_word(q));
    fv_f64 remainder = (a - top * n) - (q - top) * n;
    return q + remainder * y;
}

/* fl32(fl64(1 / fl64(sqrt(x)))) for x in [1, 2]: tests/unit/speed.c tries all x. */
FV_FN fv_f32 fv_inverse_sqrt_exact(fv_f32 x)
{
    fv_f32 half_x = 0.5f * x, near = fv_f32_from_bits(0x5f3759dfu - (fv_bits(x) >> 1));
    near = near * (1.5f - half_x * near * near);
    near = near * (1.5f - half_x * near * near);
    fv_f64 wide_half = fv_f64_from_f32(half_x), y = fv_f64_from_f32(near);
    y = y * (FV_F64(1.5) - wide_half * y * y);
    y = y * (FV_F64(1.5) - wide_half * y * y);
    return fv_narrow_exact(y);
}

#endif
