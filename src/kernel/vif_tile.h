/* Access to the samples of one scale of VIF, for kernels that define SCALE and SAMPLE. */
#ifndef FV_KERNEL_VIF_TILE_H
#define FV_KERNEL_VIF_TILE_H

/* Mirrors an index without repeating the edge. Indices beyond the reach of a filter may give any sample. */
FV_FN fv_i32 mirror(fv_i32 i, fv_i32 count)
{
    fv_i32 place = abs(i);
    return max(0, min(place, 2 * (count - 1) - place));
}

/* The address of column x of a plane, and that column's sample in row y. */
FV_FN fv_u8_p column_of(fv_u8_p plane, fv_i32 x)
{
    return FV_OFFSET(fv_u8_p, plane, fv_u32(x) * (SAMPLE / 8u));
}

FV_FN fv_u32 sample_at(fv_u8_p column, fv_u32 stride, fv_i32 y)
{
#if SAMPLE == 8
    return FV_LD_U8(FV_OFFSET(fv_u8_p, column, fv_product(fv_u32(y), stride)), 0);
#else
    return FV_LD_U16(FV_OFFSET(fv_u16_p, column, fv_product(fv_u32(y), stride)), 0);
#endif
}

FV_FN fv_u32 weight_at(fv_i32 scale, fv_i32 offset)
{
    return fv_u32(fv_vif_weight[9 * scale + (offset < 0 ? -offset : offset)]);
}

#endif
