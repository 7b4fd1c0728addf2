/*
 * ProRes (SMPTE RDD 36), the rules every reader shares: codebooks, differences, slice geometry, dequantisation,
 * inverse transform, alpha. Symbols are plain int; only the transform works on lanes. docs/decoders.md
 *
 * A codebook is s | r << 4 | e << 8: Rice codes of order r while the number of leading zero bits is at most s, and
 * exponential Golomb codes of order e beyond that.
 */
#ifndef FV_ARITH_PRORES_H
#define FV_ARITH_PRORES_H

#define FV_PRORES_BOOK(s, r, e) ((s) | (r) << 4 | (e) << 8)
#define FV_PRORES_LONGEST 31 /* maximum bits of a codeword; a longer one is damage */

#define FV_PRORES_FIRST_DC_BOOK FV_PRORES_BOOK(0, 5, 6)
#define FV_PRORES_FIRST_DC_CODE 5 /* stands for the code before the second DC value */
#define FV_PRORES_FIRST_RUN 4
#define FV_PRORES_FIRST_LEVEL 2

/* Indexed by what was decoded before: a DC code up to 5, a run up to 15, a level's magnitude up to 9. */
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

/* The length in bits of the codeword that starts with this many zeros. */
FV_FN int fv_prores_code_length(int book, int zeros)
{
    int s = book & 15, r = (book >> 4) & 15, e = book >> 8;
    return zeros <= s ? zeros + 1 + r : 2 * zeros + e - s;
}

/* The number to add to the codeword, read as one number, to get its value. */
FV_FN int fv_prores_code_bias(int book, int zeros)
{
    int s = book & 15, r = (book >> 4) & 15, e = book >> 8;
    return zeros <= s ? (zeros << r) - (1 << r) : ((s + 1) << r) - (1 << e);
}

/* The first DC value of a slice, which its code 0, 1, 2, 3, 4, ... stands for: 0, -1, 1, -2, 2, ... */
FV_FN int fv_prores_first_dc(int code)
{
    return (code >> 1) ^ -(code & 1);
}

/* A DC difference is coded relative to the sign of the one before it: 0, or 1 for negative. */
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

/* Scale factor of a slice's quantisation index. */
FV_FN int fv_prores_scale(int index)
{
    int q = index < 1 ? 1 : index > 224 ? 224 : index;
    return q <= 128 ? q : (q - 96) * 4;
}

/* Offsets of a slice's components. Each ends where the next one starts; alpha ends with the slice. */
FV_STRUCT(FvProresParts)
{
    int luma, cb, cr, alpha;
    int fits; /* 0: the sizes contradict each other */
};

/*
 * Finds the parts of a slice from its size, the length of its header, and the three sizes in the header; cr counts
 * from a header of 8 bytes on.
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
 * Slices of a row of macroblocks: whole ones of 2^log2_slice macroblocks, then one for each set bit of the rest,
 * widest first. The slices counted from the right end strip the lowest bits of the rest, hence the closed form.
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

/* First macroblock of slice k of a row, and log2 of how many it has. */
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

/* Place of block j in its slice, in samples. Luma blocks of a macroblock go along rows, chroma blocks down. */
FV_FN int fv_prores_block_x(int plane, int j)
{
    return plane == 0 ? 16 * (j >> 2) + 8 * (j & 1) : 8 * (j >> 1);
}

FV_FN int fv_prores_block_y(int plane, int j)
{
    return plane == 0 ? 8 * ((j >> 1) & 1) : 8 * (j & 1);
}

/* Alpha in 8 or 16 bits as a sample of 10 or 12. */
FV_FN int fv_prores_alpha(int alpha, int bits, int depth)
{
    return bits == 16 ? alpha >> (16 - depth) : (alpha << (depth - 8)) + (alpha >> (16 - depth));
}

/* Difference that a short alpha code stands for. */
FV_FN int fv_prores_alpha_step(int code)
{
    int magnitude = (code + 2) >> 1;
    return (code & 1) != 0 ? -magnitude : magnitude;
}

/* A coefficient times its scale; lanes of 16 bits wrap by themselves. */
FV_FN int fv_prores_dequantise(int coefficient, int scale)
{
    return fv_prores_wrap16(coefficient * scale);
}

/* Rows of blocks and their columns go through the same butterfly; sums are modulo 2^32. */
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

/* Two numbers of 16 bits, and the sum of their products with two weights, modulo 2^32. */
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

/* A row of dequantised coefficients; results fit 16 bits. */
FV_FN FvProresEight fv_prores_row10(FvProresEight f)
{
    f.v[0] = fv_prores_wrap(f.v[0] + 1);
    FvProresEight y = fv_prores_butterfly(f, fv_prores_weights(10), fv_splat_u32(0));
    FV_UNROLL
    for (int i = 0; i < 8; i++)
        y.v[i] = fv_prores_clip(y.v[i] >> 15, -32768, 32767);
    return y;
}

/* W4 is not a power of two at 12 bits, so a row with only its first value nonzero has a rule of its own. */
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

/* A column of row results gives samples. 8200 is the mid level 512 and the rounding of the final shift. At 12 bits
 * the rounding is an offset of 2 after the wrap. */
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

/* The chroma sample of a slice whose encoder left chroma out. */
FV_FN int fv_prores_grey(int depth)
{
    return depth == 12 ? 2044 : 511;
}

/* Scan index of raster index 8 * v + u: progressive frames first, then interlaced ones. */
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
