/* Arguments of the ProRes kernels. A launch decodes many pictures: FV_GROUP_Z is the index of the picture. */
#ifndef FV_KERNEL_PRORES_H
#define FV_KERNEL_PRORES_H

/* Zeros that must follow a packet: the bit reader is three words ahead. */
#define FV_PRORES_PADDING 16

/* State of a component of a slice, between the kernels: the last scan index, or why there is none; the scale. */
#define FV_PRORES_LAST 63u
#define FV_PRORES_DAMAGED 64u
#define FV_PRORES_ABSENT 128u
#define FV_PRORES_SCALE_SHIFT 8u

FV_STRUCT(FvProresGpuPicture)
{
    fv_u32_p packet;
    fv_u32_p offsets;      /* offsets of slices in the packet, in bytes, and the end of the last */
    fv_u32_p quantisers;   /* 2 x 64 bytes: luma, chroma */
    fv_u32_p states;       /* [component][slice] */
    fv_i16_p coefficients; /* [component][slice][position], zeros at first; whole slices, whatever is used of them */
    fv_u32_p damaged;      /* counts slices */
    fv_u8_p data[3];       /* first row of the picture in each plane; rows begin at multiples of 16 bytes */
    fv_u8_p luma;          /* luma of the frame */
    fv_u32_p sums;         /* sums of each block of its signature (arith/signature.h) */
    fv_u32 stride[3];      /* bytes from a row of the picture to its next */
    fv_u32 bytes;          /* bytes of the packet */
    fv_i32 columns;        /* macroblocks in a row */
    fv_i32 log2_slice, slices_per_row, slices;
    fv_i32 rows;       /* rows of samples */
    fv_i32 interlaced; /* 0 or 1: which scan */
    fv_u32 luma_stride;
    fv_i32 width, height; /* size of the frame; with is_signed 0, any size with samples in each block */
    fv_i32 is_signed;     /* 1 in the last picture of a frame whose signature is wanted, else 0 */
};
FV_POINTER(FvProresGpuPicture, FvProresGpuPicture_p);

FV_STRUCT(FvProresArgs)
{
    FvProresGpuPicture_p pictures;
    fv_i32 depth;
    fv_i32 chroma_444; /* 0 or 1 */
};

#endif
