/*
 * CIEDE2000: the formulas of one pixel. From samples to f(X), f(Y), f(Z) in binary64 with powers by Newton's method,
 * then the difference in binary32 and without angles: hues only ever occur as sines and cosines, except near blue.
 * docs/metrics/ciede.md
 */
#ifndef FV_ARITH_CIEDE_H
#define FV_ARITH_CIEDE_H

/* ---- Colour -------------------------------------------------------------------------------------------------- */

FV_STRUCT(FvCiedeColour)
{
    fv_f64 x, y, z; /* also r, g, b */
};

/* R'G'B' of BT.709 from luma in [0, 1] and chroma around 0. */
FV_FN FvCiedeColour fv_ciede_rgb(fv_f64 y, fv_f64 u, fv_f64 v)
{
    FvCiedeColour colour;
    colour.x = y + FV_F64(1.28033) * v;
    colour.y = (y - FV_F64(0.21482) * u) - FV_F64(0.38059) * v;
    colour.z = y + FV_F64(2.12798) * u;
    return colour;
}

/* What the transfer function raises to 2.4; where it does not, a number that does no harm. */
FV_FN fv_f64 fv_ciede_base(fv_f64 c)
{
    fv_f64 base = (c + FV_F64(0.055)) * FV_F64(0.9478672985781991);
    return fv_max_f64(base, fv_splat_f64(FV_F64(0.08)));
}

/* Within 4e-4 of x^(-1/5) and x^(-1/3): a guess from the exponent, then a step of third order. */
FV_FN fv_f32 fv_ciede_root5(fv_f32 x)
{
    fv_i32 guess = 1277933859 - fv_i32_from_f32(fv_f32_from_i32(fv_i32_from_u32(fv_bits(x))) * 0.2f);
    fv_f32 y = fv_f32_from_bits(fv_u32_from_i32(guess)), square = y * y, rest = 1.0f - x * y * (square * square);
    return y + y * (rest * (0.2f + 0.12f * rest));
}

FV_FN fv_f32 fv_ciede_root3(fv_f32 x)
{
    fv_i32 guess = 1419910954 - fv_i32_from_f32(fv_f32_from_i32(fv_i32_from_u32(fv_bits(x))) * 0.333333343f);
    fv_f32 y = fv_f32_from_bits(fv_u32_from_i32(guess)), rest = 1.0f - x * y * (y * y);
    return y + y * (rest * (0.333333343f + 0.222222224f * rest));
}

/* Linear light of the component c, from its base and the root of that. */
FV_FN fv_f64 fv_ciede_linear(fv_f64 c, fv_f64 base, fv_f32_half root)
{
    fv_f64 y = fv_f64_from_f32(root), square = y * y;
    fv_f64 rest = FV_F64(1.0) - base * y * (square * square);
    y = y + y * (rest * (FV_F64(0.2) + FV_F64(0.12) * rest));
    fv_f64 power = base * y;
    power = power * power * power; /* base^(3 - 3/5) */
    return fv_sel_f64(c > fv_splat_f64(FV_F64(0.0392156862745098)), power, c * FV_F64(0.07739938080495357));
}

/* Tristimulus values relative to white. */
FV_FN FvCiedeColour fv_ciede_xyz(fv_f64 r, fv_f64 g, fv_f64 b)
{
    FvCiedeColour to;
    to.x = r * FV_F64(0.4124564390896921) + g * FV_F64(0.357576077643909) + b * FV_F64(0.18043748326639894);
    to.y = r * FV_F64(0.21267285140562248) + g * FV_F64(0.715152155287818) + b * FV_F64(0.07217499330655958);
    to.z = r * FV_F64(0.019333895582329317) + g * FV_F64(0.119192025881303) + b * FV_F64(0.9503040785363677);
    to.x = to.x * FV_F64(1.0521110608435826);
    to.z = to.z * FV_F64(0.9184170164304805);
    return to;
}

FV_FN fv_f64 fv_ciede_clamped(fv_f64 t)
{
    return fv_max_f64(t, fv_splat_f64(FV_F64(0.008)));
}

/* The compressive function of CIE 1976, from t and the root of fv_ciede_clamped(t). */
FV_FN fv_f32_half fv_ciede_compressed(fv_f64 t, fv_f32_half root)
{
    fv_f64 y = fv_f64_from_f32(root), clamped = fv_ciede_clamped(t);
    fv_f64 rest = FV_F64(1.0) - clamped * y * (y * y);
    y = y + y * (rest * (FV_F64(0.3333333333333333) + FV_F64(0.2222222222222222) * rest));
    fv_f64 line = (t * FV_F64(903.2962962962963) + FV_F64(16.0)) * FV_F64(0.008620689655172414);
    return fv_f32_from_f64(fv_sel_f64(t > fv_splat_f64(FV_F64(0.008856451679035631)), clamped * (y * y), line));
}

FV_FN fv_f32_half fv_ciede_lightness(fv_f32_half y)
{
    return fv_f32_from_f64(FV_F64(116.0) * fv_f64_from_f32(y) - FV_F64(16.0));
}

/* a and b: 500 and 200 times a difference. */
FV_FN fv_f32_half fv_ciede_opponent(double factor, fv_f32_half plus, fv_f32_half minus)
{
    return fv_f32_from_f64(factor * (fv_f64_from_f32(plus) - fv_f64_from_f32(minus)));
}

/* ---- Difference ---------------------------------------------------------------------------------------------- */

/* Below this nothing is seen; it keeps divisors and powers away from 0. */
#define FV_CIEDE_SMALL 1e-2f
#define FV_CIEDE_TINY 1e-18f

FV_FN fv_f32 fv_ciede_length(fv_f32 x, fv_f32 y)
{
    return fv_sqrt(x * x + y * y);
}

/* c^7 / (c^7 + 25^7) */
FV_FN fv_f32 fv_ciede_seventh(fv_f32 c)
{
    c = fv_max_f32(c, fv_splat_f32(FV_CIEDE_SMALL));
    fv_f32 square = c * c, power = square * square * square * c;
    return fv_div(power, power + 6103515625.0f);
}

/* Everything up to the difference of a pixel but the rotation, which matters near blue only. */
FV_STRUCT(FvCiedePixel)
{
    fv_f32 light, chroma, hue; /* weighted differences */
    fv_f32 mean_chroma;
    fv_f32 cosine, sine; /* of the mean hue minus 275 degrees */
    fv_mask rotated;     /* that is within 110 degrees, and 0 <= mean hue < 360 does not tell it from 275 + 360 */
};

FV_FN FvCiedePixel fv_ciede_pixel(fv_f32 l1, fv_f32 a1, fv_f32 b1, fv_f32 l2, fv_f32 a2, fv_f32 b2)
{
    FvCiedePixel pixel;
    fv_f32 none = fv_splat_f32(0), one = fv_splat_f32(1), tiny = fv_splat_f32(FV_CIEDE_TINY);
    fv_f32 mean = (fv_ciede_length(a1, b1) + fv_ciede_length(a2, b2)) * 0.5f;
    fv_f32 stretch = (1.0f - fv_sqrt(fv_ciede_seventh(mean))) * 0.5f;
    a1 = a1 + a1 * stretch;
    a2 = a2 + a2 * stretch;
    fv_f32 c1 = fv_ciede_length(a1, b1), c2 = fv_ciede_length(a2, b2), both = c1 + c2;
    pixel.mean_chroma = both * 0.5f;

    fv_f32 beyond = (l1 + l2) * 0.5f - 50.0f, square = beyond * beyond;
    fv_f32 light_weight = 1.0f + fv_div(0.015f * square, fv_sqrt(20.0f + square));
    pixel.light = fv_div(l2 - l1, 0.65f * light_weight);
    /* c2 - c1 without cancellation */
    fv_f32 squares = (a2 - a1) * (a2 + a1) + (b2 - b1) * (b2 + b1);
    pixel.chroma = fv_div(squares, fv_max_f32(both, tiny) * (1.0f + 0.045f * pixel.mean_chroma));

    /* The two hues as unit vectors; grey has hue 0. Their sum points to the mean hue. */
    fv_f32 over1 = fv_div(one, fv_max_f32(c1, tiny)), over2 = fv_div(one, fv_max_f32(c2, tiny));
    fv_mask grey1 = c1 <= tiny, grey2 = c2 <= tiny;
    fv_f32 x1 = fv_sel_f32(grey1, one, a1 * over1), y1 = b1 * over1;
    fv_f32 x2 = fv_sel_f32(grey2, one, a2 * over2), y2 = b2 * over2;
    fv_f32 x = x1 + x2, y = y1 + y2, sum = x * x + y * y;
    /*
     * Beyond 120 degrees the sum is short, and what is upright on the difference tells the mean better. It has two
     * directions: that of the sum, or, for opposite hues, a quarter turn behind the one in the upper half plane.
     */
    fv_mask far = sum < one, upper = fv_or(y1 > none, fv_and(y1 == none, x1 > none));
    fv_f32 right = y2 - y1, up = x1 - x2, side = right * x + up * y;
    side = fv_sel_f32(sum < fv_splat_f32(1e-12f), fv_sel_f32(upper, one, -one), side);
    x = fv_sel_f32(far, fv_sel_f32(side < none, -right, right), x);
    y = fv_sel_f32(far, fv_sel_f32(side < none, -up, up), y);
    fv_f32 length = fv_sqrt(fv_sel_f32(far, 4.0f - sum, sum)), over = fv_div(one, length);
    x = x * over;
    y = y * over;

    /* cos and sin of the mean hue's multiples */
    fv_f32 x_2 = x * x - y * y, y_2 = 2.0f * x * y, x_3 = x_2 * x - y_2 * y, y_3 = y_2 * x + x_2 * y;
    fv_f32 x_4 = x_2 * x_2 - y_2 * y_2, y_4 = 2.0f * x_2 * y_2;
    fv_f32 t = 1.0f - (0.147224322f * x + 0.085f * y) + 0.24f * x_2 + (0.31824702f * x_3 - 0.0334491096f * y_3) -
               (0.0907981023f * x_4 + 0.178201303f * y_4);
    fv_f32 hue_weight = 4.0f + 0.06f * pixel.mean_chroma * t;

    /* 2 sqrt(c1 c2) sin(dh / 2), dh the angle between the hues: from their cross product, or from their difference.
     */
    fv_f32 cross = a1 * (b2 - b1) - b1 * (a2 - a1), scale = fv_sqrt(c1 * c2), reach = scale * length;
    fv_f32 wide = fv_sel_f32(cross < none, -reach, reach);
    fv_f32 divisor = fv_sel_f32(far, one, fv_max_f32(reach, tiny));
    pixel.hue = fv_div(fv_sel_f32(far, wide, cross + cross), hue_weight * divisor);

    pixel.cosine = 0.0871557444f * x - 0.99619472f * y;
    pixel.sine = 0.0871557444f * y + 0.99619472f * x;
    /* In the first quadrant a mean hue is 275 degrees away unless the hues lie on both sides of 0. */
    fv_mask first = fv_and(fv_and(x > none, y >= none), fv_and(y1 >= none, y2 >= none));
    pixel.rotated = fv_and(fv_not(first), pixel.cosine > fv_splat_f32(-0.34f));
    return pixel;
}

/* What couples chroma and hue near blue: -2 sqrt(q) sin(60 degrees exp(-(distance / 25 degrees)^2)). */
FV_FN fv_f32 fv_ciede_rotation(FvCiedePixel pixel)
{
    fv_f32 cosine = fv_max_f32(pixel.cosine, fv_splat_f32(-0.35f));
    fv_f32 t = fv_div(pixel.sine, 1.0f + cosine), square = fv_min_f32(t * t, fv_splat_f32(2.1f));
    fv_f32 angle = fv_splat_f32(6.81147212e-05f);
    angle = angle * square - 0.00086833816f;
    angle = angle * square + 0.00496455049f;
    angle = angle * square - 0.0170211531f;
    angle = angle * square + 0.039896097f;
    angle = angle * square - 0.0704071671f;
    angle = angle * square + 0.103354946f;
    angle = angle * square - 0.141038805f;
    angle = angle * square + 0.199771836f;
    angle = angle * square - 0.33332178f;
    angle = angle * square + 0.999999881f;
    /* Twice the arc tangent, in units of 25 degrees; then a power of two. */
    fv_f32 distance = 4.58366251f * (t * angle);
    fv_f32 power = fv_max_f32(distance * distance * -1.44269502f, fv_splat_f32(-30.0f));
    fv_i32 whole = fv_i32_from_f32(power - 0.5f);
    fv_f32 rest = power - fv_f32_from_i32(whole);
    fv_f32 e = fv_splat_f32(0.000154614449f);
    e = e * rest + 0.0013400428f;
    e = e * rest + 0.00961805694f;
    e = e * rest + 0.0555032715f;
    e = e * rest + 0.240226507f;
    e = e * rest + 0.693147182f;
    e = e * rest + 1.0f;
    e = e * fv_f32_from_bits(fv_u32_from_i32(whole + 127) << 23);
    fv_f32 e2 = e * e, twice_sine = fv_splat_f32(8.1412154e-06f);
    twice_sine = twice_sine * e2 - 0.000547844975f;
    twice_sine = twice_sine * e2 + 0.0209889412f;
    twice_sine = twice_sine * e2 - 0.382793546f;
    twice_sine = (twice_sine * e2 + 2.09439516f) * e;
    fv_f32 factor = fv_sqrt(fv_ciede_seventh(pixel.mean_chroma));
    return fv_sel_f32(pixel.rotated, -(factor * twice_sine), fv_splat_f32(0));
}

FV_FN fv_f32 fv_ciede_difference(FvCiedePixel pixel, fv_f32 rotation)
{
    fv_f32 plain = pixel.light * pixel.light + pixel.chroma * pixel.chroma + pixel.hue * pixel.hue;
    return fv_sqrt(fv_max_f32(plain + rotation * pixel.chroma * pixel.hue, fv_splat_f32(0)));
}

#endif
