/*
 * The 64-bit float operations that kernels need besides + - x: conversions, quotients and roots, correctly rounded.
 * They are made from + - x and integers, for devices whose own do not round correctly. Operands and results are
 * normal numbers or zero.
 */
#ifndef FV_ARITH_FMATH64_H
#define FV_ARITH_FMATH64_H

/* Rounds x to 32 bits, to nearest even. */
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
 * Converts a 32-bit float to a double times 2^-896, which has the same bits 29 places higher. Sums of such doubles
 * round as sums of the floats themselves in binary64 do, without the slow conversions of GPUs. One product moves the
 * bits: `two_to_29` is 2^29, passed as a variable because a compiler that knew it would emit two shifts instead.
 */
FV_FN fv_f64 fv_lowered(fv_f32 nonnegative, fv_u32 two_to_29)
{
    fv_u64 bits = fv_product(fv_bits(nonnegative), two_to_29);
    return fv_f64_from_words(fv_u32_from_u64(bits), fv_u32_from_u64(bits >> 32));
}

/*
 * Does the same as fv_lowered() for either sign. The signed product copies the sign into the bits between the sign's
 * place and the exponent, which the mask clears.
 */
FV_FN fv_f64 fv_lowered_signed(fv_f32 x, fv_u32 two_to_29)
{
    fv_i64 product = fv_splat_i64(fv_i32_from_u32(fv_bits(x))) * fv_splat_i64(fv_i32_from_u32(two_to_29));
    fv_u64 bits = fv_u64_from_i64(product);
    return fv_f64_from_words(fv_u32_from_u64(bits), fv_u32_from_u64(bits >> 32) & 0x8fffffffu);
}

/* Converts a sum of fv_lowered() numbers to a float, to nearest even. The sum must be in the range of a float. */
FV_FN fv_f32 fv_raised(fv_f64 sum)
{
    fv_u32 high = fv_high_word(sum), low = fv_low_word(sum), rest = low & 0x1fffffffu;
    fv_u32 bits = (high << 3) | (low >> 29);
    bits += fv_sel_u32(rest + (bits & 1u) > 0x10000000u, 1u, 0u);
    return fv_f32_from_bits(bits | (high & 0x80000000u));
}

FV_FN fv_f32 fv_raised_nonnegative(fv_f64 sum)
{
    fv_u64 bits = fv_bits64(sum);
    bits = (bits + fv_u64_from_word(0x0fffffffu + ((fv_low_word(sum) >> 29) & 1u))) >> 29u;
    return fv_f32_from_bits(fv_u32_from_u64(bits));
}

/*
 * Returns a / n, correctly rounded, for an integer n of up to 26 bits. The quotient q from an approximate reciprocal
 * is a few units off. Its halves times n are exact, and so is the remainder; adding remainder / n rounds once. No
 * quotient of 53 bits by 26 bits is nearer than 2^-27 units to a tie, so the error of remainder / n does not matter.
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
 * Returns a / b, correctly rounded, for positive numbers whose quotient is normal, from their significands x and z.
 * The quotient q from an approximate reciprocal is at most two units off. The products of its halves with those of z
 * are exact, so the remainder over z gives the error of q within 2^-77. Where an error of 2^-70 would change the
 * rounded sum, the quotient is near a tie, and the remainder of that tie decides: an integer that is small enough to
 * be computed modulo 2^64 and never 0.
 */
FV_FN fv_f64 fv_div_f64_exact(fv_f64 a, fv_f64 b)
{
    fv_u32 a_high = fv_high_word(a), b_high = fv_high_word(b), b_low = fv_low_word(b);
    fv_u32 m_high = (a_high & 0xfffffu) | 0x3ff00000u, n_high = (b_high & 0xfffffu) | 0x3ff00000u;
    fv_f64 x = fv_with_high_word(a, m_high), z = fv_with_high_word(b, n_high);
    fv_f32 leading = fv_f32_from_bits(0x3f800000u | ((b_high & 0xfffffu) << 3) | (b_low >> 29));
    fv_f32 inverse = fv_f32_from_bits(0x7ef311c3u - fv_bits(leading));
    FV_UNROLL
    for (int i = 0; i < 3; i++)
        inverse = inverse * (2.0f - leading * inverse);
    fv_f64 y = fv_f64_from_f32(inverse), rest = FV_F64(1.0) - z * y;
    y = y + y * (rest + rest * rest);
    fv_f64 q = x * y;
    fv_f64 q_top = fv_f64_from_words(fv_low_word(q) & 0xf8000000u, fv_high_word(q)), q_end = q - q_top;
    fv_f64 z_top = fv_f64_from_words(b_low & 0xf8000000u, n_high), z_end = z - z_top;
    fv_f64 lack = (((x - q_top * z_top) - q_top * z_end) - q_end * z_top) - q_end * z_end;
    lack = lack * y;
    fv_f64 least = q + (lack - FV_F64(8.470329472543003e-22)), most = q + (lack + FV_F64(8.470329472543003e-22));
    if (least != most) {
        fv_u64 m = fv_u64_from_words(fv_low_word(a), (m_high & 0xfffffu) | 0x100000u);
        fv_u64 n = fv_u64_from_words(b_low, (n_high & 0xfffffu) | 0x100000u);
        fv_u64 middle = fv_u64_from_words(fv_low_word(least), (fv_high_word(least) & 0xfffffu) | 0x100000u);
        middle = middle + middle + 1u;
        fv_u64 above = (m << (fv_high_word(least) < 0x3ff00000u ? 54u : 53u)) - middle * n;
        least = (above >> 63) != 0u ? least : most;
    }
    fv_u32 power = (a_high >> 20) - (b_high >> 20);
    return fv_with_high_word(least, fv_high_word(least) + (power << 20));
}

/*
 * Returns 1 / sqrt(x) of x in [1, 2], with the square root rounded to binary64, the quotient to binary64 and then to
 * binary32: fl32(fl64(1 / fl64(sqrt(x)))). tests/unit/speed.c tries all x.
 */
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
