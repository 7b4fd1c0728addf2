/* Samples of a tile of one scale of VIF, for the kernels that include this: SCALE and SAMPLE say which. */
#ifndef FV_KERNEL_VIF_TILE_H
#define FV_KERNEL_VIF_TILE_H

FV_STRUCT(Pictures)
{
    fv_u8_p ref;
    fv_u8_p dis;
    fv_u32 ref_stride;
    fv_u32 dis_stride;
};

/* Mirrors without repeating the edge. What lies farther than a filter reaches may be any sample. */
FV_FN fv_i32 mirror(fv_i32 i, fv_i32 count)
{
    fv_i32 place = i < 0 ? -i : i >= count ? 2 * (count - 1) - i : i;
    return max(0, min(place, count - 1));
}

FV_FN fv_u32 sample_at(fv_u8_p data, fv_u32 stride, fv_i32 x, fv_i32 y)
{
#if SAMPLE == 8
    return FV_LD_U8(data, fv_u32(y) * stride + fv_u32(x));
#else
    return FV_LD_U16(FV_OFFSET(fv_u16_p, data, fv_u32(y) * stride), x);
#endif
}

/* The reference's sample below, the distorted one above. */
FV_FN fv_u32 both_at(Pictures p, fv_i32 x, fv_i32 y)
{
    return sample_at(p.ref, p.ref_stride, x, y) | sample_at(p.dis, p.dis_stride, x, y) << 16;
}

FV_FN fv_u32 weight_at(fv_i32 scale, fv_i32 offset)
{
    return fv_u32(fv_vif_weight[9 * scale + (offset < 0 ? -offset : offset)]);
}

#endif
