/* Arguments of the kernels that resample planes. FV_GROUP_Y is the plane, FV_GROUP_Z the index of the frame. */
#ifndef FV_KERNEL_SCALE_H
#define FV_KERNEL_SCALE_H

/* Threads of a workgroup, rows that a thread resamples across, columns that it resamples down. */
#define FV_SCALE_THREADS 128
#define FV_SCALE_HIGH 4
#define FV_SCALE_WIDE 4

/* A plane of a frame. [0] is across, [1] down: of the coefficients of two taps each word holds both. */
FV_STRUCT(FvScaleGpuPlane)
{
    fv_u8_p from;     /* the first sample that counts */
    fv_u8_p to;       /* rows start on 4 bytes and may be written up to 3 samples beyond their end */
    fv_i32_p between; /* [row that comes in][column that goes out] */
    fv_u16_p table;   /* what becomes of samples that come in; not read unless shift is -1 */
    fv_i32_p first[2];
    fv_u32_p coefficients[2]; /* [pair of taps][output] */
    fv_u32 from_stride;       /* bytes */
    fv_u32 to_stride;
    fv_i32 between_stride; /* words, a multiple of FV_SCALE_WIDE */
    fv_i32 width;          /* samples that come in */
    fv_i32 height;
    fv_i32 columns; /* columns of the output */
    fv_i32 rows;
    fv_i32 padded[2]; /* outputs of the tables */
    fv_i32 pairs[2];  /* pairs of taps */
    fv_i32 shift;     /* samples that come in are multiplied by 2^shift */
    fv_i32 maximum;   /* largest input sample */
    fv_i32 depth;     /* depth of the output samples */
};
FV_POINTER(FvScaleGpuPlane, FvScaleGpuPlane_p);

FV_STRUCT(FvScaleArgs)
{
    FvScaleGpuPlane_p planes;
    fv_i32 count;  /* number of planes of a frame */
    fv_i32 stride; /* threads of all workgroups of a plane */
};

#endif
