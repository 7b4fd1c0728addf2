/* Arguments of the kernels that resample planes. FV_GROUP_Y is the plane, FV_GROUP_Z the index of the frame. */
#ifndef FV_KERNEL_SCALE_H
#define FV_KERNEL_SCALE_H

/* Threads per workgroup, rows that a thread resamples along the row, columns that it resamples down. */
#define FV_SCALE_THREADS 128
#define FV_SCALE_HIGH 4
#define FV_SCALE_WIDE 4

/*
 * A plane of a frame. Index [0] is the direction along rows, [1] down the columns. A word of coefficients holds those
 * of two taps.
 */
FV_STRUCT(FvScaleGpuPlane)
{
    fv_u8_p from;     /* the first sample of the input */
    fv_u8_p to;       /* rows start at multiples of 4 bytes; up to 3 samples after a row may be overwritten */
    fv_i32_p between; /* [input row][output column] */
    fv_u16_p table;   /* replacement of each input sample; used only if shift is -1 */
    fv_i32_p first[2];
    fv_u32_p coefficients[2]; /* [pair of taps][output] */
    fv_u32 from_stride;       /* distance between rows in bytes */
    fv_u32 to_stride;
    fv_i32 between_stride; /* distance between rows in words, a multiple of FV_SCALE_WIDE */
    fv_i32 width;          /* size of the input in samples */
    fv_i32 height;
    fv_i32 columns; /* columns of the output */
    fv_i32 rows;
    fv_i32 padded[2]; /* number of outputs in the tables */
    fv_i32 pairs[2];  /* pairs of taps */
    fv_i32 shift;     /* input samples are multiplied by 2^shift; -1: `table` replaces them */
    fv_i32 maximum;   /* largest input sample */
    fv_i32 depth;     /* depth of the output samples */
};
FV_POINTER(FvScaleGpuPlane, FvScaleGpuPlane_p);

FV_STRUCT(FvScaleArgs)
{
    FvScaleGpuPlane_p planes;
    fv_i32 count;  /* number of planes of a frame */
    fv_i32 stride; /* number of threads of all workgroups of a plane */
};

#endif
