/* Arguments of the kernels of VMAF's VIF. */
#ifndef FV_KERNEL_VIF_H
#define FV_KERNEL_VIF_H

/* Size in samples of the tile of a workgroup. */
#define FV_VIF_SUM_COLUMNS 112
#define FV_VIF_SUM_ROWS 8
#define FV_VIF_REDUCE_COLUMNS 56
#define FV_VIF_REDUCE_ROWS 16

/*
 * Words of the sums of a row of tiles. Sums are split into parts of 16 bits; the last part of each sum is the rest.
 */
#define FV_VIF_SUM_WORDS 10

FV_STRUCT(FvVifArgs)
{
    FvPair_p pairs;
    fv_u32_p lines;     /* line segments of the logarithm (arith/vif.h) */
    fv_u8_p work;       /* frames of scales 1 to 3; one set per pair */
    fv_u32_p sums;      /* [row of tiles]: numerator, denominator (2 words each), flat variance (3), flat (1), second
                           numerator (2) */
    fv_u32 work_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_i32 width; /* size of this scale; in a reduction, of the scale that it computes */
    fv_i32 height;
    fv_i32 from_width; /* in a reduction: size of the scale that it reads */
    fv_i32 from_height;
    fv_i32 depth;
    fv_u32 ref; /* byte offsets in `work` of the input frames, from scale 1 on */
    fv_u32 dis;
    fv_u32 stride;
    fv_u32 to_ref; /* byte offsets in `work` of the output frames */
    fv_u32 to_dis;
    fv_u32 to_stride;
    fv_u32 sums_first;   /* index of this scale's first sum, in words */
    fv_u32 limit_low[2]; /* words of two maximum gains as 64-bit floats; the second may be 0 for none */
    fv_u32 limit_high[2];
};

#endif
