/* Arguments of the kernels of the sample features. */
#pragma once

FV_STRUCT(FvSampleArgs)
{
    FvPair_p pairs;
    fv_u32_p work;    /* for rows: the sum of each row */
    fv_u32_p results; /* for rows and change: one number per row; for moment: one number */
    fv_u32_p rows;    /* for moment: the work of rows */
    fv_f32_p map;
    fv_u32 work_stride; /* this and the strides below: distance between pairs, in units of 256 bytes */
    fv_u32 result_stride;
    fv_u32 rows_stride;
    fv_u32 map_stride;
    fv_u32 maps; /* 1: there is a map to fill */
    fv_i32 width;
    fv_i32 height;
    fv_u32 weight;
    fv_u32 back; /* number of frames over which `change` compares, 1 or 2 */
};
