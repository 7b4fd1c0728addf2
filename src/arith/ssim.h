/* SSIM and MS-SSIM: the formulas of one position and one tap. docs/metrics/ssim.md */
#ifndef FV_ARITH_SSIM_H
#define FV_ARITH_SSIM_H

#define FV_SSIM_TAPS 11 /* rows and columns of the window */

/* A Gaussian of standard deviation 1.5, rounded to six decimals. */
FV_TABLE(float, fv_ssim_tap, 11) = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f,
                                    0.213006f, 0.109361f, 0.036001f, 0.007599f, 0.001028f};

/* The low-pass filter that MS-SSIM applies before it halves a scale, rounded to six decimals: [5 |dy| + |dx|]. */
#define FV_SSIM_REACH 4
FV_TABLE(float, fv_ssim_halve, 25) = {
    0.363505f, 0.160885f,  -0.047149f, -0.010146f, 0.016114f,  0.160885f,  0.071207f,  -0.020867f, -0.004490f,
    0.007132f, -0.047149f, -0.020867f, 0.006115f,  0.001316f,  -0.002090f, -0.010146f, -0.004490f, 0.001316f,
    0.000283f, -0.000450f, 0.016114f,  0.007132f,  -0.002090f, -0.000450f, 0.000714f};

/*
 * Means, divisors and the structure term of a position, from the window's sums: of both frames' samples, of their
 * squares, and of their product. c1 and c2: (0.01 L)^2 and (0.03 L)^2 for samples of the range L. Numbers in brackets
 * are equations of Wang, Bovik, Sheikh and Simoncelli, IEEE Trans. Image Process. 13(4), 2004.
 */
FV_STRUCT(FvSsimParts)
{
    fv_f32 ref_mean, dis_mean, light_divisor, deviation, contrast_divisor, structure;
};

FV_FN FvSsimParts fv_ssim_parts(fv_f32 ref_mean, fv_f32 dis_mean, fv_f32 ref_square, fv_f32 dis_square,
                                fv_f32 product, float c1, float c2)
{
    FvSsimParts parts;
    fv_f32 none = fv_splat_f32(0), own = ref_mean * ref_mean, other = dis_mean * dis_mean;
    fv_f32 ref_variance = fv_max_f32(ref_square - own, none), dis_variance = fv_max_f32(dis_square - other, none);
    fv_f32 covariance = product - ref_mean * dis_mean;
    parts.ref_mean = ref_mean;
    parts.dis_mean = dis_mean;
    parts.light_divisor = own + other + c1;
    parts.deviation = fv_sqrt(ref_variance * dis_variance);
    parts.contrast_divisor = ref_variance + dis_variance + c2;
    /* Structure (10). Rounding may leave a negative covariance where a window is constant. */
    fv_mask still = fv_and(covariance < none, parts.deviation <= none);
    parts.structure = fv_div(fv_sel_f32(still, none, covariance) + 0.5f * c2, parts.deviation + 0.5f * c2);
    return parts;
}

/* The luminance comparison, equation (6). */
FV_FN fv_f64 fv_ssim_light(fv_f32_half ref_mean, fv_f32_half dis_mean, fv_f32_half divisor, double c1)
{
    fv_f64 twice = FV_F64(2.0) * fv_f64_from_f32(ref_mean) * fv_f64_from_f32(dis_mean);
    return fv_quotient_f64(twice + c1, fv_f64_from_f32(divisor));
}

/* The contrast comparison, equation (9). */
FV_FN fv_f64 fv_ssim_contrast(fv_f32_half deviation, fv_f32_half divisor, double c2)
{
    return fv_quotient_f64(FV_F64(2.0) * fv_f64_from_f32(deviation) + c2, fv_f64_from_f32(divisor));
}

#endif
