/* Arguments of the kernels of VMAF's VIF. */
#ifndef FV_KERNEL_VIF_H
#define FV_KERNEL_VIF_H

/* The tile that a workgroup takes. */
#define FV_VIF_SUM_COLUMNS 112
#define FV_VIF_SUM_ROWS 8
#define FV_VIF_REDUCE_COLUMNS 56
#define FV_VIF_REDUCE_ROWS 16

/* Words of the sums of a row of tiles: parts of 16 bits, the last part of each sum being what is left. */
#define FV_VIF_SUM_WORDS 8

FV_STRUCT(FvVifArgs)
{
    FvPair_p pairs;
    fv_u32_p lines;     /* lines of the logarithm */
    fv_u8_p work;       /* pictures of scales 1 to 3; one set a pair */
    fv_u32_p sums;      /* [row of tiles]{numerator 2, denominator 2, flat variance 3, flat 1}; one set a pair */
    fv_u32 work_stride; /* from pair to pair, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_i32 width; /* width of this scale; in a reduction, of the scale that it computes */
    fv_i32 height;
    fv_i32 from_width; /* a reduction's: of the scale that it reads */
    fv_i32 from_height;
    fv_i32 depth;
    fv_u32 ref; /* bytes into work: pictures that are read, from scale 1 on */
    fv_u32 dis;
    fv_u32 stride;
    fv_u32 to_ref; /* and pictures that are made */
    fv_u32 to_dis;
    fv_u32 to_stride;
    fv_u32 sums_first; /* words before this scale's */
    fv_u32 limit_low;  /* words of the gain's limit as a float of 64 bits */
    fv_u32 limit_high;
};

#endif
