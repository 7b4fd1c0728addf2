/* Arguments of the kernels that copy a plane of a frame from the picture of a GPU's video decoder. */
#ifndef FV_KERNEL_SURFACE_H
#define FV_KERNEL_SURFACE_H

/* Threads per workgroup, and samples that one thread writes. FV_GROUP_Y is the row. */
#define FV_SURFACE_THREADS 128
#define FV_SURFACE_WIDE 4

FV_STRUCT(FvSurfaceArgs)
{
    fv_u8_p from;       /* the first row to copy; rows start at multiples of 4 bytes */
    fv_u8_p to;         /* rows start at multiples of 8 bytes; up to 3 samples after a row may be overwritten */
    fv_u32 from_stride; /* distance between rows in bytes */
    fv_u32 to_stride;
    fv_u32 first; /* index in a row of the first sample to copy */
    fv_u32 step;  /* distance between samples of the component: 2 where Cb and Cr alternate */
    fv_u32 width; /* number of samples to write */
    fv_u32 shift; /* bits below a sample in its word */
};

#endif
