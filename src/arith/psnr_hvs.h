/*
 * PSNR-HVS with masking (Ponomarenko et al., 2007): the formulas for a block of 8x8 samples. docs/metrics/psnr_hvs.md
 *
 * Every addition rounds, so sums have a fixed order: start at zero and call the function once per term, in row-major
 * order. The integers of the transform fit 16 bits for samples up to 4095.
 */
#ifndef FV_ARITH_PSNR_HVS_H
#define FV_ARITH_PSNR_HVS_H

/* Distance of block starts in samples. Blocks have 8 samples per side, so neighbours share a column or a row. */
#define FV_HVS_STEP 7

/* Weight of the error of each coefficient [plane][vertical frequency][horizontal frequency]. */
/* clang-format off */
FV_TABLE(float, fv_hvs_weight, 192) = {
    /* luma */
    1.6193873f, 2.2901595f, 2.0850976f, 1.4836609f, 1.0022751f, 0.678297f, 0.4662249f, 0.32650915f,
    2.2901595f, 1.9432181f, 2.0479307f, 1.687311f, 1.2305667f, 0.8689203f, 0.6128099f, 0.4364058f,
    2.0850976f, 2.0479307f, 1.3432902f, 1.0920564f, 0.8757488f, 0.67088294f, 0.50173193f, 0.37250426f,
    1.4836609f, 1.687311f, 1.0920564f, 0.7728198f, 0.60563636f, 0.48309407f, 0.38042945f, 0.29577404f,
    1.0022751f, 1.2305667f, 0.8757488f, 0.60563636f, 0.44899625f, 0.35288927f, 0.283007f, 0.22695135f,
    0.678297f, 0.8689203f, 0.67088294f, 0.48309407f, 0.35288927f, 0.27032074f, 0.21501774f, 0.17408067f,
    0.4662249f, 0.6128099f, 0.50173193f, 0.38042945f, 0.283007f, 0.21501774f, 0.16886954f, 0.13615394f,
    0.32650915f, 0.4364058f, 0.37250426f, 0.29577404f, 0.22695135f, 0.17408067f, 0.13615394f, 0.109083846f,
    /* Cb */
    1.911131f, 2.460742f, 1.1828419f, 1.1498257f, 1.0501708f, 0.89801884f, 0.7472539f, 0.61510557f,
    2.460742f, 1.585293f, 1.2136325f, 1.3819003f, 1.3310019f, 1.1742855f, 0.99640435f, 0.8308904f,
    1.1828419f, 1.2136325f, 0.97871244f, 1.0262451f, 1.0314515f, 0.96006036f, 0.8498234f, 0.73122126f,
    1.1498257f, 1.3819003f, 1.0262451f, 0.8613175f, 0.8018211f, 0.7514376f, 0.6853985f, 0.60869473f,
    1.0501708f, 1.3310019f, 1.0314515f, 0.8018211f, 0.67655545f, 0.6055032f, 0.55002016f, 0.49580455f,
    0.89801884f, 1.1742855f, 0.96006036f, 0.7514376f, 0.6055032f, 0.5146744f, 0.45435348f, 0.4070503f,
    0.7472539f, 0.99640435f, 0.8498234f, 0.6853985f, 0.55002016f, 0.45435348f, 0.3892349f, 0.342354f,
    0.61510557f, 0.8308904f, 0.73122126f, 0.60869473f, 0.49580455f, 0.4070503f, 0.342354f, 0.29553062f,
    /* Cr */
    2.03872f, 2.6250234f, 1.2618095f, 1.1101979f, 1.0139775f, 0.86706936f, 0.72150046f, 0.5939065f,
    2.6250234f, 1.6911286f, 1.1718057f, 1.3342743f, 1.28513f, 1.1338147f, 0.96206415f, 0.8022545f,
    1.2618095f, 1.1718057f, 0.94498193f, 0.9908764f, 0.9959034f, 0.92697275f, 0.820535f, 0.7060203f,
    1.1101979f, 1.3342743f, 0.9908764f, 0.8316329f, 0.7741871f, 0.7255399f, 0.66177684f, 0.58771664f,
    1.0139775f, 1.28513f, 0.9959034f, 0.7741871f, 0.65323853f, 0.584635f, 0.53106415f, 0.47871706f,
    0.86706936f, 1.1338147f, 0.92697275f, 0.7255399f, 0.584635f, 0.49693665f, 0.43869457f, 0.39302167f,
    0.72150046f, 0.96206415f, 0.820535f, 0.66177684f, 0.53106415f, 0.43869457f, 0.37582025f, 0.33055505f,
    0.5939065f, 0.8022545f, 0.7060203f, 0.58771664f, 0.47871706f, 0.39302167f, 0.33055505f, 0.2853454f
};
/* clang-format on */

/* (0.3885746225901003 * weight)^2 in binary64, rounded once. The first entry of each plane is not used. */
/* clang-format off */
FV_TABLE(float, fv_hvs_mask, 192) = {
    /* luma */
    0.39595908f, 0.79191816f, 0.65645f, 0.3323672f, 0.15167806f, 0.06946862f, 0.032820094f, 0.0160968f,
    0.79191816f, 0.5701537f, 0.63325614f, 0.429872f, 0.22864369f, 0.11400103f, 0.056702264f, 0.028756095f,
    0.65645f, 0.63325614f, 0.2724511f, 0.18006901f, 0.115799844f, 0.06795828f, 0.038009517f, 0.02095132f,
    0.3323672f, 0.429872f, 0.18006901f, 0.09017899f, 0.055382524f, 0.035238083f, 0.021852298f, 0.01320897f,
    0.15167806f, 0.22864369f, 0.115799844f, 0.055382524f, 0.030439274f, 0.01880294f, 0.012093255f, 0.0077770413f,
    0.06946862f, 0.11400103f, 0.06795828f, 0.035238083f, 0.01880294f, 0.011033355f, 0.0069806753f, 0.0045756204f,
    0.032820094f, 0.056702264f, 0.038009517f, 0.021852298f, 0.012093255f, 0.0069806753f, 0.0043057767f, 0.002799041f,
    0.0160968f, 0.028756095f, 0.02095132f, 0.01320897f, 0.0077770413f, 0.0045756204f, 0.002799041f, 0.001796676f,
    /* Cb */
    0.55148005f, 0.9142838f, 0.2112527f, 0.19962406f, 0.1665209f, 0.12176424f, 0.084311195f, 0.05712789f,
    0.9142838f, 0.37946174f, 0.2223941f, 0.28833827f, 0.26748917f, 0.20820746f, 0.14990637f, 0.10424047f,
    0.2112527f, 0.2223941f, 0.14463024f, 0.15901975f, 0.16063732f, 0.1391701f, 0.109045126f, 0.080732144f,
    0.19962406f, 0.28833827f, 0.15901975f, 0.11201481f, 0.0970742f, 0.08525792f, 0.07093085f, 0.055943284f,
    0.1665209f, 0.26748917f, 0.16063732f, 0.0970742f, 0.06911235f, 0.055358175f, 0.045677897f, 0.037116744f,
    0.12176424f, 0.20820746f, 0.1391701f, 0.08525792f, 0.055358175f, 0.039995767f, 0.031169984f, 0.025017565f,
    0.084311195f, 0.14990637f, 0.109045126f, 0.07093085f, 0.045677897f, 0.031169984f, 0.022875596f, 0.017697f,
    0.05712789f, 0.10424047f, 0.080732144f, 0.055943284f, 0.037116744f, 0.025017565f, 0.017697f, 0.013187237f,
    /* Cr */
    0.6275726f, 1.0404357f, 0.24040109f, 0.1861014f, 0.15524067f, 0.11351586f, 0.078599915f, 0.053258024f,
    1.0404357f, 0.43181938f, 0.20732902f, 0.2688061f, 0.24936931f, 0.19410335f, 0.13975164f, 0.097179174f,
    0.24040109f, 0.20732902f, 0.1348329f, 0.14824764f, 0.14975567f, 0.12974267f, 0.10165836f, 0.0752633f,
    0.1861014f, 0.2688061f, 0.14824764f, 0.10442685f, 0.09049836f, 0.079482496f, 0.06612596f, 0.052153666f,
    0.15524067f, 0.24936931f, 0.14975567f, 0.09049836f, 0.06443064f, 0.05160818f, 0.042583644f, 0.034602437f,
    0.11351586f, 0.19410335f, 0.12974267f, 0.079482496f, 0.05160818f, 0.03728644f, 0.029058512f, 0.023322864f,
    0.078599915f, 0.13975164f, 0.10165836f, 0.06612596f, 0.042583644f, 0.029058512f, 0.02132599f, 0.016498197f,
    0.053258024f, 0.097179174f, 0.0752633f, 0.052153666f, 0.034602437f, 0.023322864f, 0.016498197f, 0.012293927f
};
/* clang-format on */

/* ---- Means and variances ------------------------------------------------------------------------------------ */

/* The means of a block of 8x8 samples and of a quadrant of 4x4. Both are exact. */
FV_FN fv_f32 fv_hvs_block_mean(fv_i32 total)
{
    return fv_f32_from_i32(total) * 0.015625f;
}

FV_FN fv_f32 fv_hvs_quadrant_mean(fv_i32 total)
{
    return fv_f32_from_i32(total) * 0.0625f;
}

/* Adds the squared deviation of one value to a sum. */
FV_FN fv_f32 fv_hvs_add_deviation(fv_f32 sum, fv_f32 value, fv_f32 mean)
{
    fv_f32 d = value - mean;
    return sum + d * d;
}

/*
 * 64 and 16 times the sample variance of a block and of a quadrant: 64/63 and 16/15 times the sum of squared
 * deviations.
 */
FV_FN fv_f32 fv_hvs_block_variance(fv_f32 sum)
{
    return sum * 1.01587307f;
}

FV_FN fv_f32 fv_hvs_quadrant_variance(fv_f32 sum)
{
    return sum * 1.06666672f;
}

/*
 * The ratio of the variances inside the quadrants to that of the block: q0 to q3 are top left, bottom left, top
 * right, bottom right.
 */
FV_FN fv_f32 fv_hvs_ratio(fv_f32 block, fv_f32 q0, fv_f32 q1, fv_f32 q2, fv_f32 q3)
{
    fv_mask varied = block > fv_splat_f32(0.0f);
    fv_f32 quotient = fv_div(((q0 + q1) + q2) + q3, fv_sel_f32(varied, block, fv_splat_f32(1.0f)));
    return fv_sel_f32(varied, quotient, fv_splat_f32(0.0f));
}

/* ---- Transform ---------------------------------------------------------------------------------------------- */

FV_STRUCT(FvHvsEight)
{
    fv_i16 v[8];
};

/* floor(a * b / 2^15 + 1/2) */
FV_FN fv_i16 fv_hvs_scale(fv_i16 a, int b)
{
    return fv_mulhrs_i16(a, fv_splat_i16(b));
}

/*
 * Returns a / 2, rounded towards zero. narrow: all |a| < 2^14, and one multiplication does it: a * 16383 / 2^15 + 1/2
 * is a / 2 + 1/2 less a / 2^15. That small term rounds odd numbers towards zero and is too small to change even ones.
 */
FV_FN fv_i16 fv_hvs_half(fv_i16 a, int narrow)
{
    return narrow != 0 ? fv_hvs_scale(a, 16383) : (a - (a >> 15)) >> 1;
}

/* The lifted integer DCT of eight values; apply it to columns first, then to rows. narrow: samples are below 1024. */
FV_FN FvHvsEight fv_hvs_lift(FvHvsEight x, int narrow)
{
    fv_i16 d0 = x.v[0] - x.v[7], h0 = fv_hvs_half(d0, narrow), s0 = x.v[0] - h0;
    fv_i16 s1 = x.v[1] + x.v[6], h1 = fv_hvs_half(s1, narrow), d1 = x.v[6] - h1;
    fv_i16 d2 = x.v[2] - x.v[5], s2 = x.v[2] - fv_hvs_half(d2, narrow);
    fv_i16 s3 = x.v[3] + x.v[4], h3 = fv_hvs_half(s3, narrow), d3 = h3 - x.v[4];
    fv_i16 e0 = s0 + h3, e3 = e0 - s3, e2 = h1 - s2, e1 = e2 - s1;
    FvHvsEight y;

    fv_i16 a0 = e0 - fv_hvs_scale(e1, 13573);
    y.v[4] = e1 + fv_hvs_scale(a0, 23170);
    y.v[0] = a0 - fv_hvs_scale(y.v[4], 13573);
    fv_i16 b0 = e3 - fv_hvs_scale(e2, 21895);
    y.v[2] = e2 + fv_hvs_scale(b0, 30274);
    y.v[6] = b0 - fv_hvs_scale(y.v[2], 21895);

    fv_i16 c2 = d2 + fv_hvs_scale(d1, 19195);
    fv_i16 c1 = d1 + fv_hvs_scale(c2, 23170);
    fv_i16 c3 = c2 - fv_hvs_scale(c1, 29956);
    fv_i16 g3 = fv_hvs_half(c1, narrow) - d3, g1 = c1 - g3, g2 = h0 - c3, g0 = d0 - g2;
    fv_i16 r3 = g3 + fv_hvs_scale(g0, 3227);
    y.v[1] = g0 - fv_hvs_scale(r3, 6393);
    y.v[7] = r3 + fv_hvs_scale(y.v[1], 3227);
    fv_i16 q1 = g1 + fv_hvs_scale(g2, 9940);
    y.v[3] = g2 - fv_hvs_scale(q1, 18205);
    y.v[5] = q1 + fv_hvs_scale(y.v[3], 9940);
    return y;
}

FV_FN FvHvsEight fv_hvs_dct(FvHvsEight x)
{
    return fv_hvs_lift(x, 0);
}

/* ---- Masking and errors ------------------------------------------------------------------------------------- */

/* Adds the masking energy of one coefficient to a sum. The first coefficient of a block (DC) must be left out. */
FV_FN fv_f32 fv_hvs_add_energy(fv_f32 sum, fv_f32 coefficient, fv_f32 mask)
{
    return sum + coefficient * coefficient * mask;
}

/* Returns the masking threshold of a block of one frame; the metric uses the greater one of the two frames. */
FV_FN fv_f32 fv_hvs_threshold(fv_f32 energy, fv_f32 ratio)
{
    return fv_sqrt(energy * ratio) * 0.03125f;
}

/*
 * Returns by how much the difference of two coefficients exceeds `hidden`: the threshold divided by the coefficient's
 * mask, or 0 for the first coefficient (DC). The result's sign is unspecified, because the caller squares it.
 */
FV_FN fv_f32 fv_hvs_visible(fv_f32 difference, fv_f32 hidden)
{
    return fv_beyond_f32(difference, hidden);
}

/* Returns the term of a coefficient in the plane's sum. */
FV_FN fv_f32 fv_hvs_addend(fv_f32 visible, fv_f32 weight)
{
    fv_f32 w = visible * weight;
    return w * w;
}

#endif
