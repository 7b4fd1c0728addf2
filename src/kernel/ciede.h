/* Arguments of the CIEDE2000 kernels. */
#ifndef FV_KERNEL_CIEDE_H
#define FV_KERNEL_CIEDE_H

/* Size in pixels of a workgroup's area. */
#define FV_CIEDE_WIDTH 128
#define FV_CIEDE_ROWS 16

FV_STRUCT(FvCiedeArgs)
{
    FvPair_p pairs;
    fv_u32_p sums;      /* [group] of two words, low and high; one set per pair */
    fv_u32 sums_stride; /* distance between pairs, in units of 256 bytes */
    fv_i32 width, height;
    fv_i32 across, down;  /* right shifts from luma to chroma positions */
    fv_i32 zero;          /* 2^(depth - 8) */
    fv_u32 luma_scale[2]; /* words of a double, low then high: the factor of luma samples */
    fv_u32 chroma_scale[2];
    fv_u32 unit[2];
};

#endif
