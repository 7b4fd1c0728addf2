/* Arguments of the PSNR kernels. */
#ifndef FV_KERNEL_PSNR_H
#define FV_KERNEL_PSNR_H

/* Samples per workgroup: few enough that the upper word of a sum of squares (below) cannot overflow. */
#define FV_PSNR_GROUP_SAMPLES 65536

FV_STRUCT(FvPsnrArgs)
{
    FvPair_p pairs;
    fv_u32_p sums;      /* [group] x {low 16 bits, the rest} of the sum of squared differences; one set per pair */
    fv_u32 sums_stride; /* distance between pairs, in units of 256 bytes */
    fv_i32 width[3];    /* size of each plane in samples */
    fv_i32 height[3];
    fv_i32 rows[3];  /* rows of a workgroup in each plane */
    fv_i32 first[3]; /* first workgroup of each plane; a plane's groups follow each other */
    fv_i32 groups;   /* number of workgroups of all planes */
};

#endif
