/* Arguments of the PSNR kernels. */
#ifndef FV_KERNEL_PSNR_H
#define FV_KERNEL_PSNR_H

/* Samples of one workgroup: with so few, the upper word of a sum of squares below cannot overflow. */
#define FV_PSNR_GROUP_SAMPLES 65536

FV_STRUCT(FvPsnrArgs)
{
    FvPair_p pairs;
    fv_u32_p sums;      /* [group] x {low 16 bits, the rest} of the sum of squared differences; one set a pair */
    fv_u32 sums_stride; /* from pair to pair, in units of 256 bytes */
    fv_i32 width[3];    /* samples compared */
    fv_i32 height[3];
    fv_i32 rows[3];  /* rows of a workgroup */
    fv_i32 first[3]; /* workgroup of each plane; groups of a plane follow each other */
    fv_i32 groups;   /* workgroups of all planes */
};

#endif
