/* Arguments of the kernels that make a plane of a frame from the picture of a GPU's video decoder. */
#ifndef FV_KERNEL_SURFACE_H
#define FV_KERNEL_SURFACE_H

/* Threads of a workgroup, and samples that one writes. FV_GROUP_Y is the row. */
#define FV_SURFACE_THREADS 128
#define FV_SURFACE_WIDE 4

FV_STRUCT(FvSurfaceArgs)
{
    fv_u8_p from;       /* the first row that counts; rows start on 4 bytes */
    fv_u8_p to;         /* rows start on 8 bytes and may be written up to 3 samples beyond their end */
    fv_u32 from_stride; /* bytes */
    fv_u32 to_stride;
    fv_u32 first; /* sample of a row that becomes the first one */
    fv_u32 step;  /* samples from one to the next: components that take turns */
    fv_u32 width; /* samples that are written */
    fv_u32 shift; /* bits below a sample in its word */
};

#endif
