/* Integer formulas that make samples of pixels: blending by alpha, and Y'CbCr of R'G'B'. docs/scaling.md */
#ifndef FV_ARITH_RGB_H
#define FV_ARITH_RGB_H

/* Returns a / b, rounded to nearest, half up. */
FV_FN fv_u64 fv_rgb_divide(fv_u64 a, fv_u64 b)
{
    return (a + a + b) / (b + b);
}

/* Returns (weight tone + rest under) / peak, rounded: a sample over a background, by its alpha. */
FV_FN fv_u32 fv_rgb_blend(fv_u32 tone, fv_u32 weight, fv_u32 under, fv_u32 rest, fv_u32 peak)
{
    fv_u64 sum = fv_product(weight, tone) + fv_product(rest, under);
    return fv_word_from_u64(fv_rgb_divide(sum, fv_u64_from_word(peak)));
}

/*
 * Return luma and chroma of limited range. light: red, green and blue, multiplied by weights that add up to `whole`;
 * component: blue for Cb and red for Cr, of this weight; unit: the value of one 8-bit code; peak: greatest sample.
 */
FV_FN fv_u32 fv_rgb_luma(fv_u64 light, fv_u32 whole, fv_u32 unit, fv_u32 peak)
{
    fv_u64 above = fv_rgb_divide(fv_u64_from_word(219u * unit) * light, fv_product(whole, peak));
    return 16u * unit + fv_word_from_u64(above);
}

FV_FN fv_u32 fv_rgb_chroma(fv_u64 light, fv_u32 component, fv_u32 weight, fv_u32 whole, fv_u32 unit, fv_u32 peak)
{
    fv_u64 steps = fv_product(2u * (whole - weight), peak);
    fv_u64 gray = fv_u64_from_word(128u * unit) * steps;
    fv_u64 difference = fv_u64_from_word(224u * unit) * (fv_product(whole, component) - light); /* modulo 2^64 */
    return fv_word_from_u64(fv_rgb_divide(gray + difference, steps));
}

#endif
