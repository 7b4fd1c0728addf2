/* Arguments of the kernels of SSIM and MS-SSIM. */
#ifndef FV_KERNEL_SSIM_H
#define FV_KERNEL_SSIM_H

/* Positions of one workgroup, and samples of a plane half as large. */
#define FV_SSIM_TILE_WIDTH 32
#define FV_SSIM_TILE_HEIGHT 36
#define FV_SSIM_HALF_WIDTH 32
#define FV_SSIM_HALF_HEIGHT 16

FV_STRUCT(FvSsimArgs)
{
    FvPair_p pairs;
    fv_f32_p planes;                                 /* planes of a pair that are read, unless they are the frames */
    fv_f32_p work;                                   /* working memory of a pair: computed planes, then sums */
    fv_u32_p results;                                /* [scale][4] of two words: low, high */
    fv_u32 plane_stride, work_stride, result_stride; /* from pair to pair, in units of 256 bytes */
    fv_u32 from, to;      /* planes of the reference in words of planes and work; the distorted picture's follow */
    fv_i32 width, height; /* size of the plane that is read */
    fv_i32 to_width, to_height;
    fv_i32 factor;    /* factor of shrinking */
    fv_f32 unit;      /* unit of a sample */
    fv_f32 weight;    /* weight of a sample in the mean of shrinking */
    fv_u32 unit_word; /* upper word of the double that sums are multiplied by */
    fv_u32 sums;      /* [group][4] of two words */
    fv_u32 groups;
    fv_u32 scale;
    fv_u32 two_to_29; /* see arith/fmath64.h */
    fv_f32 c1, c2;    /* constants of fv_ssim_parts() */
};

#endif
