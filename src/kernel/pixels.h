/* Arguments of the kernels that make the planes of an RGB frame, and of its Y'CbCr variant, from pixels. */
#ifndef FV_KERNEL_PIXELS_H
#define FV_KERNEL_PIXELS_H

/* Threads per workgroup, and pixels that one thread reads. FV_GROUP_Y is the row. */
#define FV_PIXELS_THREADS 128
#define FV_PIXELS_WIDE 4

/* More than the number of any pixel. */
#define FV_PIXELS_MOST 0x40000001u

FV_STRUCT(FvPixelsArgs)
{
    fv_u32_p from;    /* the word in which the first sample of the first pixel begins */
    fv_u8_p to;       /* planes of R, G and B; up to 3 samples after a row may be overwritten */
    fv_u8_p ycbcr;    /* planes of Y', Cb and Cr of equal size */
    fv_u32_p refused; /* [4], for each component: FV_PIXELS_MOST less the number of the first pixel whose sample has
                         no code; 0: none */
    fv_u32 skew;      /* offset of the first sample in its word, in bytes */
    fv_u32 row[2];    /* distances in bytes between rows, pixels and components: words of a 64-bit integer */
    fv_u32 pixel[2];
    fv_u32 component[2];
    fv_u32 plane; /* bytes from plane to plane */
    fv_u32 to_stride;
    fv_u32 width;
    fv_u32 bytes;      /* bytes of a sample: of an integer 1 or 2, of a float 2, 4 or 8 */
    fv_u32 components; /* 4: the last one is alpha */
    fv_u32 depth;
    fv_u32 background; /* 0xRRGGBB, for pixels with alpha */
    fv_u32 weights[3]; /* weights of R, G and B in luma; weights[0] 0: no Y'CbCr */
    fv_u32 rounding;   /* how floats are rounded: a value of FvRounding */
    fv_u32 low[2];     /* value of code 0, and the greatest value, as words of 64-bit floats */
    fv_u32 high[2];
};

#endif
