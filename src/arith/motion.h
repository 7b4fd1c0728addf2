/*
 * Motion of VMAF: the formulas of one sample. The difference of two frames is blurred in both directions, and its
 * magnitudes are added up. docs/metrics/motion.md
 */
#ifndef FV_ARITH_MOTION_H
#define FV_ARITH_MOTION_H

/* The weights of the symmetric blur: outer, inner, centre, inner, outer. All five add up to 2^16. */
#define FV_MOTION_OUTER 3571
#define FV_MOTION_INNER 16004
#define FV_MOTION_CENTRE 26386

/*
 * Returns floor((weighted sum + 2^(shift-1)) / 2^shift) of numbers below 2^16 in magnitude, for a shift of at least
 * 2. The halves x >> 1 are weighted separately from the lowest bits. Twice the sum of the halves would need 33 bits,
 * so one bit of the shift is applied first.
 */
FV_FN fv_i32 fv_motion_blur(fv_i32 a, fv_i32 b, fv_i32 c, fv_i32 d, fv_i32 e, int shift)
{
    fv_i32 halves = ((a >> 1) + (e >> 1)) * FV_MOTION_OUTER + ((b >> 1) + (d >> 1)) * FV_MOTION_INNER +
                    (c >> 1) * FV_MOTION_CENTRE;
    fv_i32 bits =
        ((a & 1) + (e & 1)) * FV_MOTION_OUTER + ((b & 1) + (d & 1)) * FV_MOTION_INNER + (c & 1) * FV_MOTION_CENTRE;
    return (halves + ((bits + (1 << (shift - 1))) >> 1)) >> (shift - 1);
}

FV_FN fv_i32 fv_motion_magnitude(fv_i32 x)
{
    fv_i32 sign = x >> 31;
    return (x ^ sign) - sign;
}

#endif
