/*
 * Measures of one video: the formulas of a sample, in integers. docs/check.md names the standards.
 *
 * A component of R'G'B' is 65535 for white and may lie outside [0, 65535]. Light has the unit 2^-16 cd/m2 and at most
 * 30 bits.
 */
#ifndef FV_ARITH_CHECK_H
#define FV_ARITH_CHECK_H

/* Offsets and factors that convert Y'CbCr of one format to R'G'B', scaled so that white is 65535. */
FV_STRUCT(FvCheckColour)
{
    fv_i32 low, middle; /* the code of black, and the code of chroma without colour */
    fv_i32 ay, rv, gu, gv, bu;
};

/*
 * The parts of a component of R'G'B' from the samples y, u and v, times 2^13. FV_CHECK_COMPONENT adds them and
 * divides by 2^13.
 */
#define FV_CHECK_LUMA(c, y) (((y) - (c).low) * (c).ay + 4096)
#define FV_CHECK_RED(c, v) ((v) * (c).rv)
#define FV_CHECK_GREEN(c, u, v) (0 - (u) * (c).gu - (v) * (c).gv)
#define FV_CHECK_BLUE(c, u) ((u) * (c).bu)
#define FV_CHECK_COMPONENT(luma, chroma) (((luma) + (chroma)) >> 13)

/* Returns the index of a component in the table of light: the component limited to [0, 65535]. */
FV_FN fv_i32 fv_check_place(fv_i32 component)
{
    return fv_min_i32(fv_max_i32(component, fv_splat_i32(0)), fv_splat_i32(65535));
}

/*
 * The weighted sum of three amounts below 2^30, rounded and divided by 65536, the sum of the weights. Halves of 16
 * bits are weighted separately, so that no product exceeds 32 bits.
 */
#define FV_CHECK_WEIGH(w, r, g, b)                                                                                   \
    (((r) >> 16) * (w)[0] + ((g) >> 16) * (w)[1] + ((b) >> 16) * (w)[2] +                                            \
     ((((r)&65535u) * (w)[0] + ((g)&65535u) * (w)[1] + ((b)&65535u) * (w)[2] + 32768u) >> 16))

/*
 * Returns the saturated red of WCAG 2.0 and 2.1, R - G - B, where red is at least four fifths of all light, else 0.
 */
FV_FN fv_i32 fv_check_red(fv_i32 r, fv_i32 g, fv_i32 b)
{
    return fv_sel_i32((r >> 2) >= g + b, r - g - b, fv_splat_i32(0));
}

/* Sobel's gradient across and down, from the neighbours of a sample in the directions of the compass. */
#define FV_CHECK_ACROSS(nw, ne, w, e, sw, se) (((se) - (nw)) + ((ne) - (sw)) + ((e) - (w)) + ((e) - (w)))
#define FV_CHECK_DOWN(nw, n, ne, sw, s, se) (((se) - (nw)) - ((ne) - (sw)) + ((s) - (n)) + ((s) - (n)))

/*
 * Returns floor(4 sqrt(a^2 + b^2) + 1/2) for |a|, |b| of at most 2^22; x and y are the same numbers in binary32. An
 * approximate root m is at most 16 off. The error 16 (a^2 + b^2) - m^2 is small although both terms are large, so 32
 * bits that wrap hold it exactly. One step of Newton's method leaves m exact or one too small, since it rounds up
 * from three quarters, and the comparison decides which.
 */
FV_FN fv_u32 fv_check_root(fv_i32 a, fv_i32 b, fv_f32 x, fv_f32 y)
{
    fv_f32 sum = x * x + y * y, half_sum = 0.5f * sum;
    fv_f32 inverse = fv_f32_from_bits(0x5f3759dfu - (fv_bits(sum) >> 1)); /* near 1 / sqrt(sum) */
    inverse = inverse * (1.5f - half_sum * inverse * inverse);
    inverse = inverse * (1.5f - half_sum * inverse * inverse);
    inverse = inverse * (1.5f - half_sum * inverse * inverse);
    fv_i32 m = fv_i32_from_f32(4.0f * sum * inverse);
    fv_u32 square = (fv_u32_from_i32(a) * fv_u32_from_i32(a) + fv_u32_from_i32(b) * fv_u32_from_i32(b)) << 4;
    fv_i32 off = fv_i32_from_u32(square - fv_u32_from_i32(m) * fv_u32_from_i32(m));
    fv_i32 step = fv_i32_from_f32(fv_f32_from_i32(off) * (0.125f * inverse) + 16.25f) - 16;
    off = off - step * (m + m + step);
    m = m + step;
    return fv_u32_from_i32(m + fv_sel_i32(off > m, fv_splat_i32(1), fv_splat_i32(0)));
}

/* Weights of components of BT.2020 in the luminance. */
FV_TABLE(int, fv_check_bt2020, 3) = {17216, 44434, 3886};

/*
 * HLG in 64 bits: the gain between two entries of the table of gains, at the low 12 bits of a luminance of 24 bits,
 * and the display light of scene light.
 */
#define FV_CHECK_GAIN(here, next, low) ((here) + ((((next) - (here)) * (low)) >> 12))
#define FV_CHECK_DISPLAYED(scene, gain) (((scene) * (gain)) >> 24)

/*
 * Whether a component in smaller primaries is below -most / 200, where `most` is the greatest component of the light
 * r, g and b. x, y, z: a row of the matrix, times 65536. All light has 64 bits.
 */
#define FV_CHECK_BELOW(x, y, z, r, g, b, most) (((x) * (r) + (y) * (g) + (z) * (b)) * 25 < 0 - ((most) << 13))

/* Whether one of the rows of the matrix from BT.2020 to BT.709, or to P3 with D65 white, is `below`. */
#define FV_CHECK_OUTSIDE_BT709(below)                                                                                \
    (below(108822, -38512, -4774) || below(-8163, 74246, -547) || below(-1190, -6592, 73317))
#define FV_CHECK_OUTSIDE_P3(below)                                                                                   \
    (below(88053, -18493, -4024) || below(-4279, 70503, -688) || below(185, -1284, 66635))

/* The second difference of three samples in a row, and the comb measure of five samples in a column. */
#define FV_CHECK_BEND(before, at, after) ((before) + (after) - ((at) + (at)))
#define FV_CHECK_COMBED(a, b, c, d, e) ((a) + (e) + ((c) << 2) - ((b) + (d)) * 3)

/*
 * Whether a sample is above both vertical neighbours, or below both, by more than `limit`. above, below: the sample
 * minus the neighbour above, and minus the one below.
 */
#define FV_CHECK_JAGGED(above, below, limit)                                                                         \
    fv_or(fv_and((above) > (limit), (below) > (limit)), fv_and((above) < 0 - (limit), (below) < 0 - (limit)))

#endif
