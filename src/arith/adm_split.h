/*
 * ADM's enhancement for a gain limit that is not a whole number. It needs the two 32-bit words of a double, which the
 * vectors of cpu/simd.h do not provide.
 */
#ifndef FV_ARITH_ADM_LIMIT_H
#define FV_ARITH_ADM_LIMIT_H

/*
 * Returns the restored part where gradients are aligned: the lesser of trunc(restored * limit) and `along`, the
 * distorted coefficient times the sign of the reference's. Where the signs differ, nothing is enhanced. Magnitudes
 * are below 2^32.
 */
FV_FN fv_i64 fv_adm_enhanced(fv_i64 restored, fv_i64 along, fv_f64 limit)
{
    fv_i64 none = fv_splat_i64(0), one = fv_splat_i64(1);
    fv_f64 most = fv_f64_from_word(fv_word_from_u64(fv_u64_from_i64(restored))) * limit;
    fv_f64 near = most + FV_F64(4503599627370496.0); /* adding 2^52 leaves the rounded integer in the lower word */
    fv_i64 whole = fv_i64_from_u64(fv_u64_from_word(fv_low_word(near))) -
                   fv_sel_i64(near - FV_F64(4503599627370496.0) > most, one, none);
    fv_mask64 some = most < fv_f64_from_word(fv_word_from_u64(fv_u64_from_i64(along)));
    fv_i64 enhanced = fv_sel_i64(restored > none, fv_sel_i64(some, whole, along), none);
    return fv_sel_i64(along > none, enhanced, restored);
}

#endif
