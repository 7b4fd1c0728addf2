/* Arguments of the kernel that copies the rows of a plane from wherever they begin to where kernels can read them. */
#ifndef FV_KERNEL_ROWS_H
#define FV_KERNEL_ROWS_H

#define FV_ROWS_THREADS 128

FV_STRUCT(FvRowsArgs)
{
    fv_u32_p from;      /* the word in which the first row begins */
    fv_u32_p to;        /* rows begin on 4 bytes and may be written up to 3 bytes beyond their end */
    fv_u32 skew;        /* bytes into that word, below 4 */
    fv_u32 from_stride; /* bytes */
    fv_u32 to_stride;
    fv_u32 bytes; /* bytes of a row */
    fv_u32 height;
    fv_u32 stride; /* threads of all workgroups */
};

#endif
