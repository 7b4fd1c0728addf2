/* Sums of floats that do not depend on the order: each value becomes an integer first. */
#ifndef FV_ARITH_FIXED_H
#define FV_ARITH_FIXED_H

/* The nearest multiple of 1 / unit, a power of two, times unit; below 2^51 in magnitude. */
FV_FN fv_i64 fv_fixed(fv_f64 value, double unit)
{
    return fv_i64_from_u64(fv_bits64(value * unit + FV_F64(6755399441055744.0)) - 0x4338000000000000ul);
}

#endif
