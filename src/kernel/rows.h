/*
 * Arguments of the kernel that copies the rows of a plane from unaligned addresses to addresses that kernels can
 * read.
 */
#ifndef FV_KERNEL_ROWS_H
#define FV_KERNEL_ROWS_H

#define FV_ROWS_THREADS 128

FV_STRUCT(FvRowsArgs)
{
    fv_u32_p from;      /* the word in which the first row starts */
    fv_u32_p to;        /* rows start at multiples of 4 bytes; up to 3 bytes after a row may be overwritten */
    fv_u32 skew;        /* offset of the first row in the word at `from`, in bytes, below 4 */
    fv_u32 from_stride; /* distance between rows in bytes */
    fv_u32 to_stride;
    fv_u32 bytes; /* bytes per row */
    fv_u32 height;
    fv_u32 stride; /* number of threads of all workgroups */
};

#endif
