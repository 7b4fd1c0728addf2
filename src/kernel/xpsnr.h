/* Arguments of the XPSNR kernels. */
#ifndef FV_KERNEL_XPSNR_H
#define FV_KERNEL_XPSNR_H

/*
 * Luma samples of a slice: the rows of a block that one workgroup measures. They are few enough that each thread's
 * sums of magnitudes, and the sum of the lower halves of squares, stay below 2^32.
 */
#define FV_XPSNR_SLICE 32768
#define FV_XPSNR_LUMA_SUMS 3 /* squared errors, spatial and temporal activity; chroma has squared errors only */

FV_STRUCT(FvXpsnrArgs)
{
    FvPair_p pairs;
    fv_u32_p sums; /* [block][slice][sum] x {low 16 bits, the rest}: of luma, then of Cb and Cr; one set per pair */
    fv_u32 sums_stride;   /* distance between pairs, in units of 256 bytes */
    fv_u32 sums_first[3]; /* index of each plane's first sum, in words */
    fv_i32 width[3];      /* widths of the planes */
    fv_i32 height[3];
    fv_i32 block_width[3];
    fv_i32 block_height[3];
    fv_i32 across; /* number of blocks per row */
    fv_i32 rows;   /* rows of a slice in each plane; an even number */
    fv_i32 order;  /* order of the temporal difference */
};

#endif
