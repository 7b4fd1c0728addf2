/* Arguments of the kernels that sum the luma samples of a frame's signature. */
#ifndef FV_KERNEL_SIGNATURE_H
#define FV_KERNEL_SIGNATURE_H

/* FV_GROUP_X is the column of the block, FV_GROUP_Y its row. */
#define FV_SIGNATURE_THREADS 32

FV_STRUCT(FvSignatureArgs)
{
    fv_u8_p luma;
    fv_u32_p sums; /* sum of each block */
    fv_u32 stride; /* distance between rows in bytes */
    fv_i32 width;
    fv_i32 height;
};

#endif
