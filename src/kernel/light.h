/* Converts samples to linear light, as FvLight does, in kernels. */
#ifndef FV_KERNEL_LIGHT_H
#define FV_KERNEL_LIGHT_H

FV_STRUCT(FvLightConstants)
{
    fv_i32 chroma_width; /* 0: luma only */
    fv_i32 chroma_height;
    fv_i32 rgb;
    fv_i32 half_width; /* 1 if chroma has half of luma's width, else 0 */
    fv_i32 half_height;
    /* Interpolation weights of five chroma samples, from the second previous one on, for even and odd columns. */
    fv_i32 across[2][5];
    fv_i32 down[2][5];
    fv_i32 luma_zero;
    fv_i32 chroma_zero;
    fv_i32 wide;
    fv_f32 luma_scale;
    fv_f32 chroma_scale;
    fv_f32 rv;
    fv_f32 gu;
    fv_f32 gv;
    fv_f32 bu;
    fv_f32 hlg;
    fv_f32 primaries[3][3]; /* matrix to the wanted primaries, used if `wide` is set */
};

FV_POINTER(FvLightConstants, FvLightConstants_p);

/* Width in quads of a workgroup that converts samples. A quad is 2 x 2 samples, which one thread computes. */
#define FV_LIGHT_QUADS_ACROSS 32
#define FV_LIGHT_QUADS_DOWN 8

#endif
