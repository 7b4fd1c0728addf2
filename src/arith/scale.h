/*
 * Resampling: the rounding of a sample after each direction, and its clipping. Coefficients have 14 bits of fraction
 * and add up to 2^14. docs/scaling.md
 */
#ifndef FV_ARITH_SCALE_H
#define FV_ARITH_SCALE_H

#define FV_SCALE_BITS 14 /* fraction bits of coefficients, and bits of samples between the two directions */

/* Returns the number of bits by which a sample between the two directions exceeds the depth of the video. */
FV_FN int fv_scale_extra(int depth)
{
    return depth < FV_SCALE_BITS ? FV_SCALE_BITS - depth : 0;
}

/* Start values of sums: half a unit of the result, so that the shift that follows rounds half up. */
FV_FN int fv_scale_between_half(int extra)
{
    return 1 << (FV_SCALE_BITS - 1 - extra);
}

FV_FN int fv_scale_end_half(int extra)
{
    return 1 << (FV_SCALE_BITS - 1 + extra);
}

/* Shifts a sum along a row to a sample between the two directions, which is signed and not clipped. */
FV_FN fv_i32 fv_scale_between(fv_i32 sum, int extra)
{
    return sum >> (FV_SCALE_BITS - extra);
}

/* Shifts a sum down a column to a sample of the output, which the caller clips to its depth. */
FV_FN fv_i32 fv_scale_end(fv_i32 sum, int extra)
{
    return sum >> (FV_SCALE_BITS + extra);
}

FV_FN fv_i32 fv_scale_clip(fv_i32 value, int maximum)
{
    value = fv_sel_i32(value < fv_splat_i32(0), fv_splat_i32(0), value);
    return fv_sel_i32(value > fv_splat_i32(maximum), fv_splat_i32(maximum), value);
}

#endif
