/* Arguments of the kernels of SSIM and MS-SSIM. */
#ifndef FV_KERNEL_SSIM_H
#define FV_KERNEL_SSIM_H

/* Positions per workgroup, and samples of a halved plane per workgroup. */
#define FV_SSIM_TILE_WIDTH 32
#define FV_SSIM_TILE_HEIGHT 36
#define FV_SSIM_HALF_WIDTH 32
#define FV_SSIM_HALF_HEIGHT 16

FV_STRUCT(FvSsimArgs)
{
    FvPair_p pairs;
    fv_f32_p planes;                                 /* the pair's input planes, unless the input is the frames */
    fv_f32_p work;                                   /* the pair's working memory: computed planes, then sums */
    fv_u32_p results;                                /* [scale][4] of two words: low, high */
    fv_u32 plane_stride, work_stride, result_stride; /* distance between pairs, in units of 256 bytes */
    /* Index of the reference's plane in `planes` and in `work`; the distorted frame's plane follows. */
    fv_u32 from, to;
    fv_i32 width, height; /* size of the input plane */
    fv_i32 to_width, to_height;
    fv_i32 factor;    /* factor by which the plane is reduced */
    fv_f32 unit;      /* value of a sample's unit on the scale of 8 bits */
    fv_f32 weight;    /* weight of a sample in the mean when a plane is reduced */
    fv_u32 unit_word; /* upper word of the double by which sums are multiplied */
    fv_u32 sums;      /* index of [group][4] sums of two words each */
    fv_u32 groups;
    fv_u32 scale;
    fv_u32 two_to_29; /* see arith/fmath64.h */
    fv_f32 c1, c2;    /* constants of fv_ssim_parts() */
};

#endif
