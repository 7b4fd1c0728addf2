/*
 * ProRes (SMPTE RDD 36): the rules that every decoder in fovea shares, namely codebooks, differences, slice geometry,
 * dequantisation, inverse transform and alpha. Symbols are plain int; only the transform works on lanes.
 * docs/decoders.md
 *
 * A codebook is s | r << 4 | e << 8: Rice codes of order r while the number of leading zero bits is at most s, and
 * exponential Golomb codes of order e beyond that.
 */
#ifndef FV_ARITH_PRORES_H
#define FV_ARITH_PRORES_H

#define FV_PRORES_BOOK(s, r, e) ((s) | (r) << 4 | (e) << 8)
#define FV_PRORES_LONGEST 31 /* maximum number of bits of a codeword; a longer one means a damaged stream */
/* The initial state of a slice's entropy decoder. */

#define FV_PRORES_FIRST_DC_BOOK FV_PRORES_BOOK(0, 5, 6)
#define FV_PRORES_FIRST_DC_CODE 5 /* code that is assumed to precede a slice's second DC value */
#define FV_PRORES_FIRST_RUN 4
#define FV_PRORES_FIRST_LEVEL 2

/* Codebooks by the previously decoded symbol: a DC code up to 5, a run up to 15, a level's magnitude up to 9. */
/* clang-format off */
FV_TABLE(int, fv_prores_dc_books, 6) = {
    FV_PRORES_BOOK(0, 0, 1), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2),
    FV_PRORES_BOOK(1, 2, 3), FV_PRORES_BOOK(1, 2, 3), FV_PRORES_BOOK(0, 3, 4),
};
/* clang-format on */
/* clang-format off */
FV_TABLE(int, fv_prores_run_books, 16) = {
    FV_PRORES_BOOK(2, 0, 1), FV_PRORES_BOOK(2, 0, 1), FV_PRORES_BOOK(1, 0, 1), FV_PRORES_BOOK(1, 0, 1),
    FV_PRORES_BOOK(0, 0, 1), FV_PRORES_BOOK(1, 1, 2), FV_PRORES_BOOK(1, 1, 2), FV_PRORES_BOOK(1, 1, 2),
    FV_PRORES_BOOK(1, 1, 2), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2),
    FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 2, 3),
};
/* clang-format on */
/* clang-format off */
FV_TABLE(int, fv_prores_level_books, 10) = {
    FV_PRORES_BOOK(0, 0, 1), FV_PRORES_BOOK(2, 0, 2), FV_PRORES_BOOK(1, 0, 1), FV_PRORES_BOOK(2, 0, 1),
    FV_PRORES_BOOK(0, 0, 1), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 1, 2),
    FV_PRORES_BOOK(0, 1, 2), FV_PRORES_BOOK(0, 2, 3),
};
/* clang-format on */

FV_FN int fv_prores_dc_book(int code)
{
    return fv_prores_dc_books[code < 5 ? code : 5];
}

FV_FN int fv_prores_run_book(int run)
{
    return fv_prores_run_books[run < 15 ? run : 15];
}

FV_FN int fv_prores_level_book(int level)
{
    return fv_prores_level_books[level < 9 ? level : 9];
}

/* Returns the length in bits of the codeword that starts with this number of zeros. */
FV_FN int fv_prores_code_length(int book, int zeros)
{
    int s = book & 15, r = (book >> 4) & 15, e = book >> 8;
    return zeros <= s ? zeros + 1 + r : 2 * zeros + e - s;
}

/* Returns the number to add to the codeword, read as one binary number, to get its value. */
FV_FN int fv_prores_code_bias(int book, int zeros)
{
    int s = book & 15, r = (book >> 4) & 15, e = book >> 8;
    return zeros <= s ? (zeros << r) - (1 << r) : ((s + 1) << r) - (1 << e);
}

/* Returns the first DC value of a slice: the codes 0, 1, 2, 3, 4, ... mean 0, -1, 1, -2, 2, ... */
FV_FN int fv_prores_first_dc(int code)
{
    return (code >> 1) ^ -(code & 1);
}

/*
 * Returns the sign of a DC difference, 0 or 1 for negative. The code gives it relative to the sign of the previous
 * difference.
 */
FV_FN int fv_prores_dc_sign(int sign, int code)
{
    return code == 0 ? 0 : sign ^ (code & 1);
}

FV_FN int fv_prores_dc_difference(int sign, int code)
{
    int magnitude = (code + 1) >> 1;
    return sign != 0 ? -magnitude : magnitude;
}

FV_FN int fv_prores_wrap16(int x)
{
    return ((x & 0xffff) ^ 0x8000) - 0x8000;
}

/* Returns the scale factor of a slice's quantisation index. */
FV_FN int fv_prores_scale(int index)
{
    int q = index < 1 ? 1 : index > 224 ? 224 : index;
    return q <= 128 ? q : (q - 96) * 4;
}

/*
 * Offsets of a slice's components in bytes. Each component ends where the next one starts; alpha ends with the slice.
 */
FV_STRUCT(FvProresParts)
{
    int luma, cb, cr, alpha;
    int fits; /* 0: the sizes contradict each other */
};

/*
 * Finds the components of a slice from its size, the length of its header, and the three sizes in the header, all in
 * bytes. `cr` is read only from a header of at least 8 bytes; with a shorter one, Cr extends to the end of the slice.
 */
FV_FN FvProresParts fv_prores_parts(int size, int header, int luma, int cb, int cr)
{
    FvProresParts parts;
    parts.luma = header;
    parts.cb = header + luma;
    parts.cr = parts.cb + cb;
    parts.alpha = header >= 8 ? parts.cr + cr : size;
    parts.fits = header >= 6 && parts.cr <= size && parts.alpha <= size ? 1 : 0;
    return parts;
}

/*
 * The slices of a row of macroblocks: full ones of 2^log2_slice macroblocks, then one for each set bit of the
 * remainder, widest first. The lowest set bit that is left when the lowest j set bits are removed is the width of
 * slice j, counted from 0 at the right end. This gives the closed form.
 */
FV_FN int fv_prores_slices_per_row(int columns, int log2_slice)
{
    int rest = columns & ((1 << log2_slice) - 1);
    return (columns >> log2_slice) + (rest & 1) + ((rest >> 1) & 1) + (rest >> 2);
}

FV_FN int fv_prores_slice_rest(int columns, int log2_slice, int from_right)
{
    int rest = columns & ((1 << log2_slice) - 1);
    rest = from_right > 0 ? rest & (rest - 1) : rest;
    return from_right > 1 ? rest & (rest - 1) : rest;
}

/* The first macroblock of slice k of a row, and log2 of the number of its macroblocks. */
FV_FN int fv_prores_slice_first(int columns, int log2_slice, int k)
{
    int whole = columns >> log2_slice;
    int rest = fv_prores_slice_rest(columns, log2_slice, fv_prores_slices_per_row(columns, log2_slice) - 1 - k);
    int width = rest & -rest;
    return k < whole ? k << log2_slice : columns - (columns & ((1 << log2_slice) - 1) & (2 * width - 1));
}

FV_FN int fv_prores_slice_log2(int columns, int log2_slice, int k)
{
    int whole = columns >> log2_slice;
    int rest = fv_prores_slice_rest(columns, log2_slice, fv_prores_slices_per_row(columns, log2_slice) - 1 - k);
    return k < whole ? log2_slice : (rest & -rest) >> 1;
}

/*
 * Position of block j in its slice, in samples. The blocks of a macroblock are ordered by rows in luma, by columns in
 * chroma.
 */
FV_FN int fv_prores_block_x(int plane, int j)
{
    return plane == 0 ? 16 * (j >> 2) + 8 * (j & 1) : 8 * (j >> 1);
}

FV_FN int fv_prores_block_y(int plane, int j)
{
    return plane == 0 ? 8 * ((j >> 1) & 1) : 8 * (j & 1);
}

/* Converts alpha of 8 or 16 bits to a sample of 10 or 12 bits. */
FV_FN int fv_prores_alpha(int alpha, int bits, int depth)
{
    return bits == 16 ? alpha >> (16 - depth) : (alpha << (depth - 8)) + (alpha >> (16 - depth));
}

/* Returns the difference that a short alpha code means. */
FV_FN int fv_prores_alpha_step(int code)
{
    int magnitude = (code + 2) >> 1;
    return (code & 1) != 0 ? -magnitude : magnitude;
}

/* Returns a coefficient times its scale. Lanes of 16 bits wrap as the format demands. */
FV_FN int fv_prores_dequantise(int coefficient, int scale)
{
    return fv_prores_wrap16(coefficient * scale);
}

/*
 * Eight values of a row or of a column of a block. Both go through the same butterflies, whose sums are modulo 2^32.
 */
FV_STRUCT(FvProresEight)
{
    fv_i32 v[8];
};

FV_STRUCT(FvProresWeights)
{
    int w1, w2, w3, w4, w5, w6, w7;
};

FV_FN FvProresWeights fv_prores_weights(int depth)
{
    FvProresWeights w;
    w.w1 = depth == 12 ? 45451 : 22725;
    w.w2 = depth == 12 ? 42813 : 21407;
    w.w3 = depth == 12 ? 38531 : 19265;
    w.w4 = depth == 12 ? 32767 : 16384;
    w.w5 = depth == 12 ? 25746 : 12873;
    w.w6 = depth == 12 ? 17734 : 8867;
    w.w7 = depth == 12 ? 9041 : 4520;
    return w;
}

/*
 * FvTwo is a pair of 16-bit numbers; fv_dot() returns its dot product with two weights, modulo 2^32. FV_OWN_DOT means
 * that the including file has defined both.
 */
#ifndef FV_OWN_DOT
FV_STRUCT(FvTwo)
{
    fv_i32 a, b;
};

FV_FN FvTwo fv_two(fv_i32 a, fv_i32 b)
{
    FvTwo x;
    x.a = a;
    x.b = b;
    return x;
}

FV_FN fv_u32 fv_dot(FvTwo x, int weight_a, int weight_b)
{
    return fv_u32_from_i32(x.a) * fv_u32_from_i32(weight_a) + fv_u32_from_i32(x.b) * fv_u32_from_i32(weight_b);
}
#endif

FV_FN FvProresEight fv_prores_butterfly(FvProresEight x, FvProresWeights w, fv_u32 offset)
{
    FvTwo x04 = fv_two(x.v[0], x.v[4]), x26 = fv_two(x.v[2], x.v[6]);
    FvTwo x13 = fv_two(x.v[1], x.v[3]), x57 = fv_two(x.v[5], x.v[7]);
    fv_u32 outer = fv_dot(x04, w.w4, w.w4) + offset, inner = fv_dot(x04, w.w4, -w.w4) + offset;
    fv_u32 wide = fv_dot(x26, w.w2, w.w6), narrow = fv_dot(x26, w.w6, -w.w2);
    fv_u32 a0 = outer + wide, a1 = inner + narrow, a2 = inner - narrow, a3 = outer - wide;
    fv_u32 b0 = fv_dot(x13, w.w1, w.w3) + fv_dot(x57, w.w5, w.w7);
    fv_u32 b1 = fv_dot(x13, w.w3, -w.w7) - fv_dot(x57, w.w1, w.w5);
    fv_u32 b2 = fv_dot(x13, w.w5, -w.w1) + fv_dot(x57, w.w7, w.w3);
    fv_u32 b3 = fv_dot(x13, w.w7, -w.w5) + fv_dot(x57, w.w3, -w.w1);
    FvProresEight y;
    y.v[0] = fv_i32_from_u32(a0 + b0);
    y.v[1] = fv_i32_from_u32(a1 + b1);
    y.v[2] = fv_i32_from_u32(a2 + b2);
    y.v[3] = fv_i32_from_u32(a3 + b3);
    y.v[4] = fv_i32_from_u32(a3 - b3);
    y.v[5] = fv_i32_from_u32(a2 - b2);
    y.v[6] = fv_i32_from_u32(a1 - b1);
    y.v[7] = fv_i32_from_u32(a0 - b0);
    return y;
}

FV_FN fv_i32 fv_prores_wrap(fv_i32 x)
{
    return ((x & 0xffff) ^ 0x8000) - 0x8000;
}

FV_FN fv_i32 fv_prores_clip(fv_i32 x, int low, int high)
{
    return fv_max_i32(fv_min_i32(x, fv_splat_i32(high)), fv_splat_i32(low));
}

/* Transforms a row of dequantised coefficients; the results fit 16 bits. */
FV_FN FvProresEight fv_prores_row10(FvProresEight f)
{
    f.v[0] = fv_prores_wrap(f.v[0] + 1);
    FvProresEight y = fv_prores_butterfly(f, fv_prores_weights(10), fv_splat_u32(0));
    FV_UNROLL
    for (int i = 0; i < 8; i++)
        y.v[i] = fv_prores_clip(y.v[i] >> 15, -32768, 32767);
    return y;
}

/*
 * At 12 bits the weight w4 is not a power of two, so the format has a separate rule for a row of which only the first
 * value is nonzero.
 */
FV_FN FvProresEight fv_prores_row12(FvProresEight f)
{
    fv_mask plain = (f.v[1] | f.v[2] | f.v[3] | f.v[4] | f.v[5] | f.v[6] | f.v[7]) == 0;
    fv_i32 level = fv_prores_wrap((f.v[0] + 1) >> 1);
    FvProresEight y = fv_prores_butterfly(f, fv_prores_weights(12), fv_splat_u32(32768));
    FV_UNROLL
    for (int i = 0; i < 8; i++)
        y.v[i] = fv_sel_i32(plain, level, fv_prores_wrap(y.v[i] >> 16));
    return y;
}

/*
 * Transforms a column of row results to samples. 8200 is the mid level 512 and the rounding of the final shift. At 12
 * bits an offset of 2 after the wrap rounds.
 */
FV_FN FvProresEight fv_prores_column10(FvProresEight t)
{
    t.v[0] = fv_prores_wrap(t.v[0] + 8200);
    FvProresEight y = fv_prores_butterfly(t, fv_prores_weights(10), fv_splat_u32(0));
    FV_UNROLL
    for (int i = 0; i < 8; i++)
        y.v[i] = fv_prores_clip(y.v[i] >> 18, 4, 1019);
    return y;
}

FV_FN FvProresEight fv_prores_column12(FvProresEight t)
{
    t.v[0] = fv_prores_wrap(t.v[0] + 8192);
    FvProresEight y = fv_prores_butterfly(t, fv_prores_weights(12), fv_splat_u32(2 * 32767));
    FV_UNROLL
    for (int i = 0; i < 8; i++)
        y.v[i] = fv_prores_clip(y.v[i] >> 17, 4, 4091);
    return y;
}

/* Returns the chroma sample for a slice whose encoder left chroma out. */
FV_FN int fv_prores_grey(int depth)
{
    return depth == 12 ? 2044 : 511;
}

/* Scan index of raster index 8 * v + u: the first 64 for progressive frames, the next 64 for interlaced ones. */
/* clang-format off */
FV_TABLE(int, fv_prores_scan_index, 128) = {
     0,  1,  4,  5, 16, 17, 21, 22,  2,  3,  6,  7, 18, 20, 23, 28,
     8,  9, 12, 13, 19, 24, 27, 29, 10, 11, 14, 15, 25, 26, 30, 31,
    32, 33, 37, 38, 45, 46, 53, 54, 34, 36, 39, 44, 47, 52, 55, 60,
    35, 40, 43, 48, 51, 56, 59, 61, 41, 42, 49, 50, 57, 58, 62, 63,
     0,  2,  8, 10, 32, 34, 35, 41,  1,  3,  9, 11, 33, 36, 40, 42,
     4,  6, 12, 14, 37, 39, 43, 49,  5,  7, 13, 15, 38, 44, 48, 50,
    16, 18, 19, 25, 45, 47, 51, 57, 17, 20, 24, 26, 46, 52, 56, 58,
    21, 23, 27, 30, 53, 55, 59, 62, 22, 28, 29, 31, 54, 60, 61, 63,
};
/* clang-format on */

#endif
