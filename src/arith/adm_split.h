/*
 * ADM's split of a coefficient of the coarser scales, and its enhancement. They need lanes of 32 and of 64 bits at
 * once, and the words of a double, which the vectors of cpu/simd.h do not provide.
 */
#ifndef FV_ARITH_ADM_SPLIT_H
#define FV_ARITH_ADM_SPLIT_H

/* Splits as fv_adm_split0() does. Magnitudes are below 2^31 - 2^16. */
FV_FN FvAdmSplit fv_adm_split(fv_i32 o, fv_i32 t)
{
    FvAdmSplit split;
    split.negative = o < fv_splat_i32(0);
    split.along = fv_sel_i32(split.negative, -t, t);
    fv_u32 size = fv_u32_from_i32(fv_sel_i32(split.negative, -o, o));
    /* The leading 15 bits of the magnitude, rounded, and the number of bits that were dropped below them. */
    fv_u32 dropped = fv_floor_log2(size | 16384u) - 14u, unit = 1u << dropped;
    fv_u32 leading = (size + (unit >> 1u)) >> dropped, most = (leading + 1u) << dropped;
    fv_u32 positive = fv_u32_from_i32(fv_max_i32(split.along, fv_splat_i32(0)));
    fv_u32 bounded = fv_sel_u32(positive < most, positive, most);
    fv_u64 scaled = fv_product(fv_share(fv_sel_u32(size > 0u, leading, 1u)), bounded);
    fv_u32 k = fv_word_from_u64((scaled + fv_u64_from_word(unit << 14u)) >> (dropped + 15u));
    k = fv_sel_u32(k < 32768u, k, 32768u);
    fv_u32 half_down = fv_sel_u32(split.negative, 16383u, 16384u);
    split.restored = fv_i32_from_u32(fv_word_from_u64((fv_product(k, size) + fv_u64_from_word(half_down)) >> 15u));
    split.additive = split.along - split.restored;
    return split;
}

/* Enhances as fv_adm_enhance0() does. */
FV_FN FvAdmSplit fv_adm_enhance(FvAdmSplit split, fv_mask aligned, fv_u32 limit)
{
    fv_u32 positive = fv_u32_from_i32(fv_max_i32(split.along, fv_splat_i32(0)));
    fv_u64 grown = fv_product(fv_u32_from_i32(split.restored), limit);
    fv_u32 enhanced = grown < fv_u64_from_word(positive) ? fv_word_from_u64(grown) : positive;
    split.restored = fv_sel_i32(aligned, fv_i32_from_u32(enhanced), split.restored);
    split.additive = split.along - split.restored;
    return split;
}

/*
 * Returns the restored part where gradients are aligned, for a gain limit that is not a whole number: the lesser of
 * trunc(restored * limit) and `along`, the distorted coefficient times the sign of the reference's. Where the signs
 * differ, nothing is enhanced. Magnitudes are below 2^32.
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
