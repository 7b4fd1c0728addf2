/*
 * Resampling: the two roundings of a sample, and what is done to samples when the depth is reduced or the matrix
 * changes. Coefficients are 14-bit and add up to 2^14. docs/scaling.md
 */
#ifndef FV_ARITH_SCALE_H
#define FV_ARITH_SCALE_H

#define FV_SCALE_BITS 14

/* The bits by which a sample between the two directions exceeds the picture's depth. */
FV_FN int fv_scale_extra(int depth)
{
    return depth < FV_SCALE_BITS ? FV_SCALE_BITS - depth : 0;
}

/* Sums begin with half of what their last place is worth then: they are rounded half up. */
FV_FN int fv_scale_between_half(int extra)
{
    return 1 << (FV_SCALE_BITS - 1 - extra);
}

FV_FN int fv_scale_end_half(int extra)
{
    return 1 << (FV_SCALE_BITS - 1 + extra);
}

/* Rounds the sum along columns to a sample between the directions: signed, not clipped. */
FV_FN fv_i32 fv_scale_between(fv_i32 sum, int extra)
{
    return sum >> (FV_SCALE_BITS - extra);
}

/* Rounds the sum along rows to a sample, which the caller clips to its depth. */
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
