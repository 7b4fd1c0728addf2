/*
 * A frame pair in device memory: args.pairs points to one FvPair per pair of a batch, and FV_GROUP_Z is the index of
 * the pair. Addresses and strides are multiples of 16 bytes. Planes that a frame lacks, and frames that an instance
 * does not request, have address 0. Rows may be read up to the next multiple of 16 bytes.
 */
#ifndef FV_KERNEL_PAIR_H
#define FV_KERNEL_PAIR_H

FV_STRUCT(FvPlanes)
{
    fv_u8_p data[3];
    fv_u32 stride[3]; /* distance between rows in bytes */
    fv_u32 unused;
};

FV_STRUCT(FvPair)
{
    FvPlanes ref;
    FvPlanes dis;
    FvPlanes prev_ref;
    FvPlanes prev_dis;
    FvPlanes prev2_ref; /* the frame before the previous one */
    FvPlanes prev2_dis;
};

FV_POINTER(FvPair, FvPair_p);

#endif
