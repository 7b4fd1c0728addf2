/* Arguments of the ProRes kernels. One launch decodes several pictures; FV_GROUP_Z is the index of the picture. */
#ifndef FV_KERNEL_PRORES_H
#define FV_KERNEL_PRORES_H

/* Zero bytes that must follow a packet, because the bit reader is three words ahead. */
#define FV_PRORES_PADDING 16

/*
 * The state of a slice's component between the two kernels: the last scan index (or FV_PRORES_DAMAGED) and the scale.
 */
#define FV_PRORES_LAST 63u
#define FV_PRORES_DAMAGED 64u
#define FV_PRORES_ABSENT 128u    /* flag: the slice has no chroma */
#define FV_PRORES_SCALE_SHIFT 8u /* position of the scale in the state */

FV_STRUCT(FvProresGpuPicture)
{
    fv_u32_p packet;
    fv_u32_p offsets;      /* byte offsets of the slices in the packet, and the end of the last slice */
    fv_u32_p quantisers;   /* quantisation matrices, 2 x 64 bytes: luma, chroma */
    fv_u32_p states;       /* [component][slice] */
    fv_i16_p coefficients; /* [component][slice][position], initially zero; every slice has room for a full slice */
    fv_u32_p damaged;      /* counter of damaged slices */
    fv_u8_p data[3];       /* the picture's first row in each plane; rows start at multiples of 16 bytes */
    fv_u8_p luma;          /* luma plane of the frame */
    fv_u32_p sums;         /* sum of each block of the frame's signature (arith/signature.h) */
    fv_u32 stride[3];      /* distance between rows of the picture in bytes */
    fv_u32 bytes;          /* size of the packet in bytes */
    fv_i32 columns;        /* macroblocks per row */
    fv_i32 log2_slice, slices_per_row, slices;
    fv_i32 rows;       /* rows of samples in the picture */
    fv_i32 interlaced; /* 0 or 1: selects the scan */
    fv_u32 luma_stride;
    fv_i32 width, height; /* size of the frame; if has_signature is 0, any size with samples in each block */
    fv_i32 has_signature; /* 1 in the last picture of a frame whose signature is requested, else 0 */
};
FV_POINTER(FvProresGpuPicture, FvProresGpuPicture_p);

FV_STRUCT(FvProresArgs)
{
    FvProresGpuPicture_p pictures;
    fv_i32 depth;
    fv_i32 chroma_444; /* 0 or 1 */
};

#endif
