/* Arguments of the kernel that copies memory inside the device: what bench compares with. */
#ifndef FV_KERNEL_COPY_H
#define FV_KERNEL_COPY_H

#define FV_COPY_THREADS 256

FV_STRUCT(FvCopyArgs)
{
    fv_u32_p from; /* multiples of 16, as are the bytes */
    fv_u32_p to;
    fv_u32 units;  /* number of units of 16 bytes */
    fv_u32 stride; /* threads of all workgroups */
};

#endif
