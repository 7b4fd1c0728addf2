/*
 * SpEED: the sizes of its blocks, and the antialias filter in front of them, in 32-bit floats. docs/metrics/speed.md
 */
#ifndef FV_ARITH_SPEED_FILTER_H
#define FV_ARITH_SPEED_FILTER_H

#define FV_SPEED_BLOCK 5 /* rows and columns of a block */
#define FV_SPEED_N 25    /* samples of a block: order of the covariance matrix */
#define FV_SPEED_STEP 16 /* distance between the rows, and between the columns, that decimation keeps */

/* Adds one term of a filter. The sum starts at +0 and adds the taps from the top or the left. */
FV_FN fv_f32 fv_speed_tap(fv_f32 sum, fv_f32 value, float tap)
{
    return sum + value * tap;
}

/* Returns the difference of two code values. The vertical taps include the exact division by 2^(depth - 8). */
FV_FN fv_f32 fv_speed_sample(fv_i32 code, fv_i32 minus)
{
    return fv_f32_from_i32(code - minus);
}

#endif
