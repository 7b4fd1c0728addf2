/*
 * CIEDE2000: the formulas of one pixel in binary64, rounded to binary32 where libvmaf stores a binary32 number.
 * Powers and roots use Newton's method; angles, sines and cosines use polynomials. docs/metrics/ciede.md
 */
#ifndef FV_ARITH_CIEDE_H
#define FV_ARITH_CIEDE_H

/* ---- Colour -------------------------------------------------------------------------------------------------- */

FV_STRUCT(FvCiedeColour)
{
    fv_f64 x, y, z; /* X, Y, Z, or R, G, B */
};

/* R'G'B' from luma in [0, 1] and chroma around 0, by the matrix of ITU-R BT.709. */
FV_FN FvCiedeColour fv_ciede_rgb(fv_f64 y, fv_f64 u, fv_f64 v)
{
    FvCiedeColour colour;
    colour.x = y + FV_F64(1.28033) * v;
    colour.y = (y - FV_F64(0.21482) * u) - FV_F64(0.38059) * v;
    colour.z = y + FV_F64(2.12798) * u;
    return colour;
}

/*
 * Returns the base of the power 2.4 in sRGB's curve (IEC 61966-2-1). Where the curve is linear, the base is not used.
 */
FV_FN fv_f64 fv_ciede_base(fv_f64 c)
{
    fv_f64 base = (c + FV_F64(0.055)) * FV_F64(0.9478672985781991);
    return fv_max_f64(base, fv_splat_f64(FV_F64(0.08)));
}

/* Approximate x^(-1/5) and x^(-1/3) within 4e-4: a guess from the exponent, then a step of third order. */
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

/* Returns the linear light of the component c; base: fv_ciede_base(c), root: fv_ciede_root5(base). */
FV_FN fv_f64 fv_ciede_linear(fv_f64 c, fv_f64 base, fv_f32_half root)
{
    fv_f64 y = fv_f64_from_f32(root), square = y * y;
    fv_f64 rest = FV_F64(1.0) - base * y * (square * square);
    y = y + y * (rest * (FV_F64(0.2) + rest * (FV_F64(0.12) + rest * (FV_F64(0.088) + FV_F64(0.0704) * rest))));
    fv_f64 power = base * y;
    power = power * power * power; /* base^2.4 = base^(3 - 3/5) */
    return fv_sel_f64(c > fv_splat_f64(FV_F64(0.0392156862745098)), power, c * FV_F64(0.07739938080495357));
}

/* Returns tristimulus values relative to white, for sRGB's primaries (IEC 61966-2-1). */
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

/* The compressive function f of CIE 1976 L*a*b* (CIE 15); root: fv_ciede_root3(fv_ciede_clamped(t)). */
FV_FN fv_f32_half fv_ciede_compressed(fv_f64 t, fv_f32_half root)
{
    fv_f64 y = fv_f64_from_f32(root), clamped = fv_ciede_clamped(t);
    fv_f64 rest = FV_F64(1.0) - clamped * y * (y * y);
    fv_f64 series =
        FV_F64(0.2222222222222222) + rest * (FV_F64(0.1728395061728395) + FV_F64(0.1440329218106996) * rest);
    y = y + y * (rest * (FV_F64(0.3333333333333333) + rest * series));
    fv_f64 line = (t * FV_F64(903.2962962962963) + FV_F64(16.0)) * FV_F64(0.008620689655172414);
    return fv_f32_from_f64(fv_sel_f64(t > fv_splat_f64(FV_F64(0.008856451679035631)), clamped * (y * y), line));
}

/* L* = 116 f(Y) - 16. */
FV_FN fv_f32_half fv_ciede_lightness(fv_f32_half y)
{
    return fv_f32_from_f64(FV_F64(116.0) * fv_f64_from_f32(y) - FV_F64(16.0));
}

/* Returns a* or b*: `factor`, 500 or 200, times a difference of two values of f. */
FV_FN fv_f32_half fv_ciede_opponent(double factor, fv_f32_half plus, fv_f32_half minus)
{
    return fv_f32_from_f64(factor * (fv_f64_from_f32(plus) - fv_f64_from_f32(minus)));
}

/* ---- Difference: numbers in brackets are equations of Sharma, Wu and Dalal, Color Res. Appl. 30(1), 2005 ------- */

/*
 * Every operation that libvmaf rounds to binary32 is also rounded to binary32 here, in lanes of binary64. The
 * difference of close colours consists of such rounding errors alone.
 */

/* Rounds x to 24 bits, to nearest; a tie may go either way. */
FV_FN fv_f64 fv_ciede_rounded(fv_f64 x)
{
    fv_f64 large = x * FV_F64(536870913.0);
    return large - (large - x);
}

/* Rounds x to 24 bits, to nearest even: sums and differences of numbers of 24 bits often are ties. */
FV_FN fv_f64 fv_ciede_narrowed(fv_f64 x)
{
    return fv_f64_from_f32(fv_f32_from_f64(x));
}

/*
 * Returns 1 / x, or 1 / sqrt(x), of x > 0 within 1e-15: a guess from the exponent, then steps of third and fourth
 * order.
 */
FV_FN fv_f64 fv_ciede_inverse(fv_f64 x)
{
    fv_f64 y = fv_with_high_word(x, 0x7fde6238u - fv_high_word(x)), rest = FV_F64(1.0) - x * y;
    y = y + y * (rest + rest * rest);
    rest = FV_F64(1.0) - x * y;
    return y + y * (rest + rest * (rest + rest * rest));
}

FV_FN fv_f64 fv_ciede_inverse_root(fv_f64 x)
{
    fv_f64 y = fv_with_high_word(x, 0x5fe6eb50u - (fv_high_word(x) >> 1)), rest = FV_F64(1.0) - x * y * y;
    y = y + y * (rest * (FV_F64(0.5) + FV_F64(0.375) * rest));
    rest = FV_F64(1.0) - x * y * y;
    return y + y * (rest * (FV_F64(0.5) + rest * (FV_F64(0.375) + FV_F64(0.3125) * rest)));
}

/* Returns 1 / sqrt(square). Squares below 1e-30 (grey) count as 1e-30, so that the result is finite. */
FV_FN fv_f64 fv_ciede_inverse_length(fv_f64 square)
{
    return fv_ciede_inverse_root(fv_max_f64(square, fv_splat_f64(FV_F64(1e-30))));
}

FV_FN fv_f64 fv_ciede_root(fv_f64 square)
{
    return fv_ciede_rounded(square * fv_ciede_inverse_length(square));
}

/*
 * Returns the seventh power of the chroma for equations (4) and (17). For grey it returns a positive number that is
 * too small to matter.
 */
FV_FN fv_f64 fv_ciede_seventh(fv_f64 chroma)
{
    chroma = fv_max_f64(chroma, fv_splat_f64(FV_F64(0.01)));
    fv_f64 square = chroma * chroma;
    return square * square * square * chroma;
}

/* sin(x) for x from -pi / 2 to pi / 2, within 3e-13. */
FV_FN fv_f64 fv_ciede_sine(fv_f64 x)
{
    fv_f64 square = x * x, series = fv_splat_f64(FV_F64(1.5502486875467334e-10));
    series = series * square - FV_F64(2.5036743775516108e-08);
    series = series * square + FV_F64(2.755712315062172e-06);
    series = series * square - FV_F64(0.00019841268708871781);
    series = series * square + FV_F64(0.008333333330939871);
    series = series * square - FV_F64(0.16666666666658464);
    return x + x * square * series;
}

/* Returns exp(-x) within 1e-9 for x up to 20: the series of exp(-x / 256), squared eight times. */
FV_FN fv_f64 fv_ciede_decay(fv_f64 x)
{
    x = x * FV_F64(-0.00390625);
    fv_f64 power = FV_F64(0.008333333333333333) + FV_F64(0.001388888888888889) * x;
    power = power * x + FV_F64(0.041666666666666664);
    power = power * x + FV_F64(0.16666666666666666);
    power = power * x + FV_F64(0.5);
    power = power * x + FV_F64(1.0);
    power = power * x + FV_F64(1.0);
    FV_UNROLL
    for (int i = 0; i < 8; i++)
        power = power * power;
    return power;
}

/*
 * Equation (7): the hue of (a, b) in radians, in [0, 2 pi], 0 for grey; over: 1 / sqrt(a^2 + b^2). It is computed
 * from the sine of an angle of at most pi / 8.
 */
FV_FN fv_f64 fv_ciede_hue(fv_f64 a, fv_f64 b, fv_f64 over)
{
    fv_f64 across = fv_max_f64(a, -a), up = fv_max_f64(b, -b);
    fv_f64 least = fv_min_f64(across, up), most = fv_max_f64(across, up);
    fv_mask64 diagonal = least > most * FV_F64(0.41421356237309503);
    fv_f64 sine = fv_sel_f64(diagonal, (least - most) * FV_F64(0.7071067811865476), least) * over;
    fv_f64 square = sine * sine, series = fv_splat_f64(FV_F64(0.01948227843737142));
    series = series * square + FV_F64(0.01188313292942958);
    series = series * square + FV_F64(0.017623221174753456);
    series = series * square + FV_F64(0.022353084702960685);
    series = series * square + FV_F64(0.030382667280733314);
    series = series * square + FV_F64(0.044642843779059374);
    series = series * square + FV_F64(0.07500000009368021);
    series = series * square + FV_F64(0.16666666666655933);
    fv_f64 hue = sine + sine * square * series;
    hue = fv_sel_f64(diagonal, hue + FV_F64(0.7853981633974483), hue);
    hue = fv_sel_f64(up > across, FV_F64(1.5707963267948966) - hue, hue);
    hue = fv_ciede_rounded(fv_sel_f64(a < fv_splat_f64(0.0), FV_F64(3.141592653589793) - hue, hue));
    fv_f64 below = fv_ciede_rounded(FV_F64(6.283185307179586) - hue);
    return fv_sel_f64(b < fv_splat_f64(0.0), below, hue);
}

/*
 * Equation (15): T = 1 - 0.17 cos(hue - 30 degrees) + 0.24 cos(2 hue) + 0.32 cos(3 hue + 6 degrees) - 0.20 cos(4
 * hue - 63 degrees).
 */
FV_FN fv_f64 fv_ciede_hue_weight(fv_f64 hue)
{
    /*
     * The hue is from 0 to 450 degrees, so a quarter of its distance from 225 degrees has a cosine that is not
     * negative.
     */
    fv_f64 quarter = (hue - FV_F64(3.9269908169872414)) * FV_F64(0.25);
    fv_f64 y = fv_ciede_sine(quarter);
    fv_f64 x = fv_ciede_sine(FV_F64(1.5707963267948966) - fv_max_f64(quarter, -quarter));
    fv_f64 y2 = FV_F64(2.0) * x * y, x2 = FV_F64(1.0) - FV_F64(2.0) * y * y;
    y = FV_F64(2.0) * x2 * y2;
    x = FV_F64(1.0) - FV_F64(2.0) * y2 * y2;
    y2 = FV_F64(2.0) * x * y;
    x2 = FV_F64(1.0) - FV_F64(2.0) * y * y;
    fv_f64 x3 = x2 * x - y2 * y, y3 = y2 * x + x2 * y, x4 = x2 * x2 - y2 * y2, y4 = FV_F64(2.0) * x2 * y2;
    fv_f64 t = FV_F64(1.0) + (FV_F64(0.16420739046914162) * x - FV_F64(0.04399923766742853) * y) - FV_F64(0.24) * y2;
    t = t + (FV_F64(0.2486867076662307) * x3 + FV_F64(0.20138252513594798) * y3);
    return fv_ciede_rounded(t + (FV_F64(0.09079809994790937) * x4 + FV_F64(0.17820130483767357) * y4));
}

/* Equations (3) to (5): what half of a* is multiplied by before it is added to a*; c1, c2: chroma C* (2). */
FV_FN fv_f64 fv_ciede_stretch(fv_f64 c1, fv_f64 c2)
{
    fv_f64 power = fv_ciede_seventh(fv_ciede_narrowed(c1 + c2) * FV_F64(0.5));
    return FV_F64(1.0) - power * fv_ciede_inverse_root(power * (power + FV_F64(6103515625.0)));
}

/* Chroma C' (6) and hue (7) of a colour whose a* is stretched. */
FV_STRUCT(FvCiedePolar)
{
    fv_f64 chroma, hue;
};

FV_FN FvCiedePolar fv_ciede_polar(fv_f64 a, fv_f64 b, fv_f64 stretch)
{
    FvCiedePolar polar;
    a = fv_ciede_rounded(a + a * FV_F64(0.5) * stretch);
    fv_f64 square = a * a + b * b, over = fv_ciede_inverse_length(square);
    polar.chroma = fv_ciede_rounded(square * over);
    polar.hue = fv_ciede_hue(a, b, over);
    return polar;
}

/* The difference (10) and the mean (14) of two hues, on the shorter arc. */
FV_STRUCT(FvCiedeArc)
{
    fv_f64 turn, mean;
};

FV_FN FvCiedeArc fv_ciede_arc(fv_f64 h1, fv_f64 h2)
{
    FvCiedeArc arc;
    fv_f64 turn = fv_ciede_narrowed(h2 - h1), both = fv_ciede_narrowed(h1 + h2), none = fv_splat_f64(0.0);
    fv_f64 back =
        fv_sel_f64(turn > none, fv_splat_f64(FV_F64(-6.283185307179586)), fv_splat_f64(FV_F64(6.283185307179586)));
    fv_mask64 far = fv_max_f64(turn, -turn) > fv_splat_f64(FV_F64(3.141592653589793));
    arc.turn = fv_sel_f64(far, fv_ciede_rounded(turn + back), turn);
    arc.mean = fv_sel_f64(far, fv_ciede_rounded(both + FV_F64(6.283185307179586)), both) * FV_F64(0.5);
    return arc;
}

/* The terms of a pixel's difference without the rotation term, which matters near blue only. */
FV_STRUCT(FvCiedePixel)
{
    fv_f64 light, chroma, hue; /* weighted differences */
    fv_f64 mean_chroma, mean_hue;
    fv_mask64 rotated; /* the mean hue is within 110 degrees of 275 degrees */
};

/* grey: C* of one of the colours is 0; hue_weight: fv_ciede_hue_weight(arc.mean). */
FV_FN FvCiedePixel fv_ciede_weighted(fv_f64 l1, fv_f64 l2, FvCiedePolar one, FvCiedePolar two, FvCiedeArc arc,
                                     fv_f64 hue_weight, fv_mask64 grey)
{
    FvCiedePixel pixel;
    fv_f64 none = fv_splat_f64(0.0);
    pixel.mean_chroma = fv_ciede_narrowed(one.chroma + two.chroma) * FV_F64(0.5);
    pixel.mean_hue = arc.mean;
    fv_f64 distance = arc.mean - FV_F64(4.799655442984406);
    pixel.rotated = fv_max_f64(distance, -distance) < fv_splat_f64(FV_F64(1.9198621771937625));

    /* The term dH' (11). */
    fv_f64 product = fv_ciede_rounded(one.chroma * two.chroma);
    fv_f64 mean = product * fv_ciede_inverse_length(product), sine = fv_ciede_sine(arc.turn * FV_F64(0.5));
    fv_f64 hue = fv_sel_f64(grey, none, fv_ciede_rounded(FV_F64(2.0) * mean * sine));

    /*
     * The weights of lightness (18), chroma (19) and hue (20); each difference, (8) and (9) among them, is divided by
     * its weight.
     */
    fv_f64 beyond = fv_ciede_narrowed(fv_ciede_narrowed(l1 + l2) * FV_F64(0.5) - FV_F64(50.0));
    beyond = beyond * beyond;
    fv_f64 light_weight = FV_F64(1.0) + FV_F64(0.015) * beyond * fv_ciede_inverse_root(FV_F64(20.0) + beyond);
    light_weight = fv_ciede_rounded(FV_F64(0.6499999761581421) * fv_ciede_rounded(light_weight));
    fv_f64 chroma_weight = fv_ciede_rounded(FV_F64(1.0) + FV_F64(0.045) * pixel.mean_chroma);
    hue_weight = FV_F64(0.015) * pixel.mean_chroma * hue_weight;
    hue_weight = FV_F64(4.0) * fv_ciede_rounded(FV_F64(1.0) + hue_weight);
    /* One inverse gives all three quotients. */
    fv_f64 others = light_weight * chroma_weight, inverse = fv_ciede_inverse(others * hue_weight);
    pixel.hue = fv_ciede_rounded(hue * (others * inverse));
    inverse = inverse * hue_weight;
    pixel.light = fv_ciede_rounded(fv_ciede_narrowed(l2 - l1) * (chroma_weight * inverse));
    pixel.chroma = fv_ciede_rounded(fv_ciede_narrowed(two.chroma - one.chroma) * (light_weight * inverse));
    return pixel;
}

FV_FN fv_mask64 fv_ciede_grey(fv_f64 c1, fv_f64 c2)
{
    return fv_or(c1 == fv_splat_f64(0.0), c2 == fv_splat_f64(0.0));
}

/* Compares two colours in L*a*b*. */
FV_FN FvCiedePixel fv_ciede_pixel(fv_f64 l1, fv_f64 a1, fv_f64 b1, fv_f64 l2, fv_f64 a2, fv_f64 b2)
{
    fv_f64 c1 = fv_ciede_root(a1 * a1 + b1 * b1), c2 = fv_ciede_root(a2 * a2 + b2 * b2);
    fv_f64 stretch = fv_ciede_stretch(c1, c2);
    FvCiedePolar one = fv_ciede_polar(a1, b1, stretch), two = fv_ciede_polar(a2, b2, stretch);
    FvCiedeArc arc = fv_ciede_arc(one.hue, two.hue);
    return fv_ciede_weighted(l1, l2, one, two, arc, fv_ciede_hue_weight(arc.mean), fv_ciede_grey(c1, c2));
}

/*
 * Equations (16), (17) and (21): the rotation term that couples chroma and hue near blue, -2 sqrt(q) sin(60 degrees
 * exp(-(distance / 25 degrees)^2)).
 */
FV_FN fv_f64 fv_ciede_rotation(FvCiedePixel pixel)
{
    fv_f64 distance = fv_ciede_rounded(pixel.mean_hue * FV_F64(57.29577951308232));
    distance = fv_ciede_rounded((distance - FV_F64(275.0)) * FV_F64(0.04));
    fv_f64 angle = fv_ciede_rounded(FV_F64(60.0) * fv_ciede_decay(fv_ciede_rounded(distance * distance)));
    angle = fv_ciede_rounded(angle * FV_F64(0.017453292519943295));
    fv_f64 power = fv_ciede_rounded(fv_ciede_seventh(pixel.mean_chroma));
    fv_f64 share = power * fv_ciede_inverse(fv_ciede_narrowed(power + FV_F64(6103515648.0)));
    share = fv_ciede_rounded(share);
    fv_f64 factor = FV_F64(2.0) * (share * fv_ciede_inverse_length(share));
    return fv_sel_f64(pixel.rotated, -fv_ciede_rounded(factor * fv_ciede_sine(angle)), fv_splat_f64(0.0));
}

/* The colour difference, equation (22). */
FV_FN fv_f64 fv_ciede_difference(FvCiedePixel pixel, fv_f64 rotation)
{
    fv_f64 plain = pixel.light * pixel.light + pixel.chroma * pixel.chroma + pixel.hue * pixel.hue;
    return fv_ciede_root(plain + fv_ciede_rounded(fv_ciede_rounded(rotation * pixel.chroma) * pixel.hue));
}

#endif
