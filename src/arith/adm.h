/*
 * ADM (additive detail metric), one of VMAF's features, in fixed point: the formulas of one wavelet coefficient.
 * Scale 0 is computed in lanes of 32 bits, the coarser scales with products of 64. The restored part and the additive
 * part are stored times the sign of the reference's coefficient, so that sign matters only to rounding.
 * docs/metrics/adm.md
 */
#ifndef FV_ARITH_ADM_H
#define FV_ARITH_ADM_H

/* Taps of the Daubechies-2 wavelet, times 2^15: the low-pass taps add up to 46342, the high-pass taps to 0. */
FV_TABLE(int, fv_adm_low, 4) = {15826, 27411, 7345, -4240};
FV_TABLE(int, fv_adm_high, 4) = {-4240, -7345, 27411, -15826};

/*
 * Maximum contrast sensitivity factors for which the formulas below give the metric's values. With greater factors
 * libvmaf's integers wrap at 16 and at 32 bits, and these formulas do not. FV_ADM_FACTOR0 is for the bands h and v of
 * scale 0, FV_ADM_FACTOR for the coarser scales.
 */
#define FV_ADM_FACTOR0 43000u
#define FV_ADM_FACTOR 0x0fffffffu

/* The square of cos(1 degree), rounded to a float: as a float and as a double. */
#define FV_ADM_COS_SQUARED32 0.999695420f
#define FV_ADM_COS_SQUARED FV_F64(0.9996954202651978)

/*
 * Returns whether the gradients (h, v) of the reference and of the distorted frame differ in direction by at most one
 * degree. inner: their inner product; ref_square, dis_square: the squares of their lengths, each rounded to 24 bits.
 */
FV_FN fv_mask64 fv_adm_aligned(fv_f32_half inner, fv_f32_half ref_square, fv_f32_half dis_square)
{
    fv_f64 product = fv_f64_from_f32(inner);
    fv_f64 bound = (FV_ADM_COS_SQUARED * fv_f64_from_f32(ref_square)) * fv_f64_from_f32(dis_square);
    return fv_and(product >= fv_splat_f64(0.0), product * product >= bound);
}

/* An estimate of fv_adm_aligned() in binary32. Where `near` is set, binary64 must decide. */
FV_STRUCT(FvAdmGuess)
{
    fv_mask same, near;
};

/*
 * error: twice the greatest error of the estimate, as a share of `bound`: FV_ADM_ERROR if the inner product and the
 * squares are rounded once, FV_ADM_ERROR_COARSE if they are computed from coefficients in binary32.
 */
#define FV_ADM_ERROR 9.5367431640625e-07f       /* 2^-20 */
#define FV_ADM_ERROR_COARSE 3.814697265625e-06f /* 2^-18 */
FV_FN FvAdmGuess fv_adm_guess_aligned(fv_f32 inner, fv_f32 ref_square, fv_f32 dis_square, float error)
{
    FvAdmGuess guess;
    fv_f32 none = fv_splat_f32(0.0f), bound = FV_ADM_COS_SQUARED32 * ref_square * dis_square;
    fv_f32 beyond = inner * inner - bound, most = bound * error;
    guess.same = fv_and(inner >= none, beyond >= none);
    guess.near = fv_and(fv_max_f32(beyond, -beyond) <= most, bound > none);
    return guess;
}

/* Estimates from the coefficients of the coarser scales, o of the reference and t of the distorted frame. */
FV_FN FvAdmGuess fv_adm_guess_coarse(fv_f32 oh, fv_f32 ov, fv_f32 th, fv_f32 tv)
{
    return fv_adm_guess_aligned(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv, FV_ADM_ERROR_COARSE);
}

/* A coefficient of the distorted frame, split into the restored and the additive part. */
FV_STRUCT(FvAdmSplit)
{
    fv_mask negative; /* the sign of the reference's coefficient */
    fv_i32 along;     /* the distorted coefficient with the sign of the reference's */
    fv_i32 restored;  /* nonnegative */
    fv_i32 additive;
};

/* ---- Scale 0 ------------------------------------------------------------------------------------------------- */

/*
 * Splits the distorted coefficient t into a multiple k / 2^15 of the reference's coefficient o, 0 <= k <= 1, and the
 * rest.
 */
FV_FN FvAdmSplit fv_adm_split0(fv_i32 o, fv_i32 t)
{
    FvAdmSplit split;
    split.negative = o < fv_splat_i32(0);
    split.along = fv_sel_i32(split.negative, -t, t);
    fv_i32 size = fv_sel_i32(split.negative, -o, o);
    /* A larger `along` also gives k = 1. The bound keeps the product below 2^31. */
    fv_i32 bounded = fv_min_i32(fv_max_i32(split.along, fv_splat_i32(0)), size + 1);
    fv_u32 share = fv_share(fv_u32_from_i32(fv_max_i32(size, fv_splat_i32(1))));
    fv_i32 k = fv_i32_from_u32((share * fv_u32_from_i32(bounded) + 16384u) >> 15);
    k = fv_min_i32(k, fv_splat_i32(32768));
    fv_i32 half_down = fv_sel_i32(split.negative, fv_splat_i32(16383), fv_splat_i32(16384));
    split.restored = (k * size + half_down) >> 15;
    split.additive = split.along - split.restored;
    return split;
}

/* Where gradients are aligned, counts the difference as restored, up to `limit` times the restored part. */
FV_FN FvAdmSplit fv_adm_enhance0(FvAdmSplit split, fv_mask aligned, int limit)
{
    fv_i32 enhanced = fv_max_i32(fv_min_i32(split.restored * limit, split.along), fv_splat_i32(0));
    split.restored = fv_sel_i32(aligned, enhanced, split.restored);
    split.additive = split.along - split.restored;
    return split;
}

/*
 * Returns the weighted magnitude of a masking coefficient; product: its magnitude times its factor. diagonal: 0 for
 * bands h and v, 1 for band d.
 */
FV_FN fv_i32 fv_adm_masker0(fv_i32 product, fv_mask negative, int diagonal)
{
    int below = diagonal != 0 ? 65535 : 16384, above = diagonal != 0 ? 65536 : 16383;
    int shift = diagonal != 0 ? 17 : 15;
    return (product + fv_sel_i32(negative, fv_splat_i32(above), fv_splat_i32(below))) >> shift;
}

/*
 * fv_adm_around0() returns the masking threshold that a coefficient of weighted magnitude `masker` adds to each of
 * its eight neighbours. fv_adm_centre0() returns the threshold that it adds at its own position: twice as much,
 * wrapped at 16 bits.
 */
FV_FN fv_i32 fv_adm_around0(fv_i32 masker)
{
    return (masker * 4369 + 2048) >> 12;
}

FV_FN fv_i32 fv_adm_centre0(fv_i32 masker)
{
    return fv_i32_from_u32(fv_u32_from_i32((masker * 4369 + 1024) >> 11) << 16) >> 16;
}

/* ---- Scales 1 to 3 ------------------------------------------------------------------------------------------- */

/* Returns the weighted magnitude of a coefficient, for its masking of others and for its own threshold test. */
FV_FN fv_u64 fv_adm_weighted(fv_word factor, fv_word magnitude, fv_mask64 negative)
{
    fv_i64 half_down = fv_sel_i64(negative, fv_splat_i64(134217727), fv_splat_i64(134217728));
    return (fv_product(factor, magnitude) + fv_u64_from_i64(half_down)) >> 28u;
}

/*
 * The masking thresholds that a coefficient below 2^31 adds to each neighbour and at its own position. Both are one
 * less than the nearest integer, so they may be -1.
 */
FV_FN fv_i64 fv_adm_around(fv_word masker)
{
    return fv_i64_from_u64((fv_product(masker, fv_splat_word(143165577u)) + 2147483648u) >> 32u) - 1;
}

FV_FN fv_i64 fv_adm_centre(fv_word masker)
{
    return fv_i64_from_u64((fv_product(masker, fv_splat_word(286331153u)) + 2147483648u) >> 32u) - 1;
}

/* ---- Sums ---------------------------------------------------------------------------------------------------- */

/* Returns the part of a weighted magnitude above threshold * 2^bits, at least 0. The product wraps at 32 bits. */
FV_FN fv_i32 fv_adm_excess(fv_i32 weighted, fv_i32 threshold, int bits)
{
    fv_u32 rest = fv_u32_from_i32(weighted) - (fv_u32_from_i32(threshold) << bits);
    return fv_max_i32(fv_i32_from_u32(rest), fv_splat_i32(0));
}

/* Shifts lanes right; all lanes of `bits` hold the same number. */
#ifndef FV_OWN_SHIFT
#define fv_shr_equal(v, bits) ((v) >> (bits))
#endif

/*
 * Returns the cube of an excess below 2^30, rounded after the square and after the product. `rounding` and
 * `cube_bits` are lanes, because a shift by lanes takes fewer instructions than a shift by a scalar that is unknown
 * at compile time.
 */
FV_FN fv_u64 fv_adm_cube(fv_word excess, int square_bits, fv_u64 rounding, fv_u64 cube_bits)
{
    fv_word square = fv_word_from_u64((fv_product(excess, excess) + (1u << (square_bits - 1))) >> square_bits);
    return fv_shr_equal(fv_product(square, excess) + rounding, cube_bits);
}

/*
 * Returns the cube of an excess, rounded after the square and after the product. The square wraps at 32 bits, so it
 * may be negative.
 */
FV_FN fv_i64 fv_adm_cube_wrapped(fv_word excess, int square_bits, int cube_bits)
{
    fv_u64 square = (fv_product(excess, excess) + (1u << (square_bits - 1))) >> square_bits;
    fv_u64 sign = (square >> 31u) & 1u;
    fv_u64 cube = fv_product(fv_word_from_u64(square & 0xffffffffu), excess);
    cube = cube - ((fv_u64_from_word(excess) * sign) << 32u);
    return fv_i64_from_u64(cube + (1u << (cube_bits - 1))) >> cube_bits;
}

/*
 * Returns the term of one reference coefficient in the denominator of scale 0: its cube. fv_adm_detail() is for the
 * coarser scales, where the cube is rounded twice.
 */
FV_FN fv_u64 fv_adm_detail0(fv_word magnitude)
{
    return fv_product(fv_word_from_u64(fv_product(magnitude, magnitude)), magnitude);
}

FV_FN fv_u64 fv_adm_detail(fv_word magnitude, int square_bits, int cube_bits)
{
    fv_word square = fv_word_from_u64((fv_product(magnitude, magnitude) + (1u << square_bits)) >> square_bits);
    return (fv_product(square, magnitude) + (1u << (cube_bits - 1))) >> cube_bits;
}

#endif
