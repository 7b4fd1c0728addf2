/* Arguments of the kernel that copies memory inside the device, which is a speed reference for benchmarks. */
#ifndef FV_KERNEL_COPY_H
#define FV_KERNEL_COPY_H

#define FV_COPY_THREADS 256

FV_STRUCT(FvCopyArgs)
{
    fv_u32_p from; /* addresses are multiples of 16, and so is the number of bytes */
    fv_u32_p to;
    fv_u32 units;  /* number of units of 16 bytes */
    fv_u32 stride; /* number of threads of all workgroups */
};

#endif
