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

/*
 * a / b for positive numbers, from their significands as integers: the quotient of an approximate reciprocal is a few
 * units off, its remainder is exact modulo 2^64 and puts it right.
 */
FV_FN fv_f64 fv_div_f64_exact(fv_f64 a, fv_f64 b)
{
    fv_u32 a_high = fv_high_word(a), b_high = fv_high_word(b);
    fv_u32 m_high = (a_high & 0xfffffu) | 0x100000u, n_high = (b_high & 0xfffffu) | 0x100000u;
    fv_u64 m = fv_u64_from_words(fv_low_word(a), m_high), n = fv_u64_from_words(fv_low_word(b), n_high);
    fv_f64 x = fv_with_high_word(a, (a_high & 0xfffffu) | 0x3ff00000u);
    fv_f64 z = fv_with_high_word(b, (b_high & 0xfffffu) | 0x3ff00000u);
    fv_f64 y = fv_f64_from_f32(fv_div(fv_splat_f32(1), fv_narrow_exact(z)));
    y = y * (FV_F64(2.0) - z * y);
    y = y * (FV_F64(2.0) - z * y);
    /* floor(m * 2^shift / n) has 53 bits; a little less than 2^52 may come out, but then it is put right, too. */
    fv_u32 shift = m < n ? 53u : 52u;
    fv_f64 near = x * y;
    near = m < n ? near + near : near;
    fv_f64 scaled = near * FV_F64(4503599627370496.0);
    fv_u32 near_high = fv_high_word(scaled);
    fv_u64 q = fv_u64_from_words(fv_low_word(scaled), (near_high & 0xfffffu) | 0x100000u);
    fv_u32 exponent = near_high >> 20;
    q = exponent < 1075u ? q >> (1075u - exponent) : q << (exponent - 1075u);
    fv_u64 r = (m << shift) - q * n;
    FV_UNROLL
    for (int i = 0; i < 4; i++) { /* below zero: the uppermost bit is set */
        fv_mask over = (r >> 63) != 0u;
        q = over ? q - 1u : q;
        r = over ? r + n : r;
    }
    FV_UNROLL
    for (int i = 0; i < 4; i++) {
        fv_mask under = r >= n;
        q = under ? q + 1u : q;
        r = under ? r - n : r;
    }
    /* A tie cannot occur: it would need a quotient of 54 bits without remainder. */
    q = r + r > n ? q + 1u : q;
    fv_u32 power = (a_high >> 20) - (b_high >> 20) + 1023u - (shift - 52u);
    fv_u32 q_high = fv_u32_from_u64(q >> 32);
    return fv_f64_from_words(fv_u32_from_u64(q), q_high + ((power - 1u) << 20));
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
