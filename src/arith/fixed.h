/* Sums of floats that do not depend on the order of addition: each value becomes an integer first. */
#ifndef FV_ARITH_FIXED_H
#define FV_ARITH_FIXED_H

/* Returns value * unit, rounded to the nearest integer; it must be below 2^51 in magnitude. unit: a power of two. */
FV_FN fv_i64 fv_fixed(fv_f64 value, double unit)
{
    return fv_i64_from_u64(fv_bits64(value * unit + FV_F64(6755399441055744.0)) - 0x4338000000000000ul);
}

#endif
