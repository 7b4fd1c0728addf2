/* SpEED: the sizes of its blocks, and the filter that comes before them, in 32-bit floats. docs/metrics/speed.md */
#ifndef FV_ARITH_SPEED_FILTER_H
#define FV_ARITH_SPEED_FILTER_H

#define FV_SPEED_BLOCK 5
#define FV_SPEED_N 25    /* samples of a block: order of the covariance matrix */
#define FV_SPEED_STEP 16 /* distance of the rows and columns that are kept */

/* Adds one term of a filter. The sum starts at +0 and adds the taps from the top or the left. */
FV_FN fv_f32 fv_speed_tap(fv_f32 sum, fv_f32 value, float tap)
{
    return sum + value * tap;
}

/* A difference of code values; the division by 2^(depth - 8) is part of the vertical taps, where it is exact.
 */
FV_FN fv_f32 fv_speed_sample(fv_i32 code, fv_i32 minus)
{
    return fv_f32_from_i32(code - minus);
}

#endif
