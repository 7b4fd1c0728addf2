/* R'G'B' and display light of a pixel, for kernels that measure one video. */
#ifndef FV_KERNEL_CHECK_LIGHT_H
#define FV_KERNEL_CHECK_LIGHT_H

/* Subsampling of chroma: right shifts from luma to chroma positions. gray: the frame has no chroma. */
FV_STRUCT(Chroma)
{
    fv_i32 across;
    fv_i32 down;
    bool gray;
};

FV_STRUCT(Components)
{
    fv_i32 r;
    fv_i32 g;
    fv_i32 b;
};

FV_STRUCT(Light)
{
    fv_u32 r;
    fv_u32 g;
    fv_u32 b;
};

FV_FN Chroma chroma_of(fv_i32 width, fv_i32 height, fv_i32 chroma_width, fv_i32 chroma_height)
{
    Chroma chroma;
    chroma.across = chroma_width < width ? 1 : 0;
    chroma.down = chroma_height < height ? 1 : 0;
    chroma.gray = chroma_width == 0;
    return chroma;
}

/* Converts Y'CbCr to R'G'B'; u and v: chroma samples minus their middle code. */
FV_FN Components components_of(FvCheckColour c, fv_i32 y, fv_i32 u, fv_i32 v)
{
    fv_i32 luma = FV_CHECK_LUMA(c, y);
    Components p;
    p.r = FV_CHECK_COMPONENT(luma, FV_CHECK_RED(c, v));
    p.g = FV_CHECK_COMPONENT(luma, FV_CHECK_GREEN(c, u, v));
    p.b = FV_CHECK_COMPONENT(luma, FV_CHECK_BLUE(c, u));
    return p;
}

/* Returns the chroma sample at a luma position, minus the middle code; 0 if the frame has no chroma. */
FV_FN fv_i32 chroma_at(FvCheckColour c, FvPlanes planes, fv_i32 plane, Chroma chroma, fv_i32 x, fv_i32 y)
{
    fv_i32 code = c.middle;
    if (!chroma.gray)
        code = sample_at(planes, plane, x >> chroma.across, y >> chroma.down);
    return code - c.middle;
}

FV_FN fv_u32 displayed(fv_u32 scene, fv_i64 gain)
{
    fv_i64 light = FV_CHECK_DISPLAYED(fv_i64_from_u64(fv_u64_from_word(scene)), gain);
    return fv_u32(fv_u64_from_i64(light) & 0xffffffffu);
}

/* Returns the display light of R'G'B'. gain: index in the table of HLG's first gain; 0: the table has no gains. */
FV_FN Light light_of(fv_u32_p table, fv_i32 gain, Components c)
{
    Light light;
    light.r = FV_AT(table, fv_check_place(c.r));
    light.g = FV_AT(table, fv_check_place(c.g));
    light.b = FV_AT(table, fv_check_place(c.b));
    if (gain != 0) {
        fv_u32 luminance = FV_CHECK_WEIGH(fv_check_bt2020, light.r, light.g, light.b);
        fv_i32 at = gain + fv_i32(luminance >> 12);
        fv_i64 here = fv_i64_from_u64(fv_u64_from_word(FV_AT(table, at)));
        fv_i64 next = fv_i64_from_u64(fv_u64_from_word(FV_AT(table, at + 1)));
        fv_i64 factor = FV_CHECK_GAIN(here, next, fv_i64_from_u64(fv_u64_from_word(luminance & 4095u)));
        light.r = displayed(light.r, factor);
        light.g = displayed(light.g, factor);
        light.b = displayed(light.b, factor);
    }
    return light;
}

#endif
