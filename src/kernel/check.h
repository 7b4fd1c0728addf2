/* Arguments and constants of the kernels that measure one video. The second dimension of a launch is the side. */
#ifndef FV_KERNEL_CHECK_H
#define FV_KERNEL_CHECK_H

#include "arith/check_layout.h"

/* Workgroups of kernels that go down columns: a thread has a column, or a word of 16 bytes of each row. */
#define FV_CHECK_THREADS 128
#define FV_CHECK_TALL 128      /* rows of such a workgroup */
#define FV_CHECK_SITI_WIDE 126 /* columns of a workgroup of siti: the threads at its ends only read */

FV_STRUCT(FvCheckArgs)
{
    FvPair_p pairs;
    fv_u32_p table; /* numbers of each code, or of each value of a component; one table per side */
    fv_u32_p results;
    fv_u32 result_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 result_words;  /* words of a side */
    fv_u32 table_words;   /* words of a side */
    fv_i32 width[3];      /* size of each plane in samples; 0: the frame lacks it */
    fv_i32 height[3];
    fv_i32 depth;
    fv_i32 across[3]; /* workgroups in a row of each plane */
    fv_i32 first[3];  /* first workgroup of each plane; a plane's groups follow each other */
    fv_i32 groups;    /* workgroups of all planes */
};

#endif
