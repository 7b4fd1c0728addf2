/* Arguments and constants of the kernels that measure one video. The second dimension of a launch is the side. */
#ifndef FV_KERNEL_CHECK_H
#define FV_KERNEL_CHECK_H

#include "arith/check.h"
#include "arith/check_layout.h"

/* Workgroups of kernels that go down columns: a thread processes one column, or 16 bytes of each row. */
#define FV_CHECK_THREADS 128
#define FV_CHECK_TALL 128      /* rows of a workgroup that goes down columns */
#define FV_CHECK_SITI_WIDE 126 /* columns of a workgroup of siti: the threads at its ends only read */

/* Sums of 64 bits that a workgroup writes, in two words each, the lower one first. */
#define FV_CHECK_SITI_SUMS 4  /* gradients, their squares, changes, their squares */
#define FV_CHECK_SCAN_SUMS 4  /* moving samples, then bends of the frame and of both weaves */
#define FV_CHECK_FLASH_SUMS 2 /* luminance and saturated red of a cell */
#define FV_CHECK_CELL_SUMS 1  /* luma of a cell */

/* Words of a side's results before its sums of rows, its counts of codes, or its bins. */
#define FV_CHECK_BLACK_WORDS 7  /* black samples, 65535 minus each plane's minimum, each plane's maximum */
#define FV_CHECK_LEVELS_WORDS 6 /* 65535 minus the minimum of U and of V, their maxima, then counts */
#define FV_CHECK_LEVELS_RESERVED 4
#define FV_CHECK_LEVELS_ILLEGAL 5
#define FV_CHECK_PEAKS_WORDS 6
#define FV_CHECK_PEAKS_MOST 0
#define FV_CHECK_PEAKS_BT709 1
#define FV_CHECK_PEAKS_P3 2
#define FV_CHECK_PEAKS_LIT 3
#define FV_CHECK_PEAKS_SUM 4 /* two words, the lower one first */

/* Colours of a side. cpu/check.h describes the members of FvCheckLight with the same names. */
FV_STRUCT(FvCheckVideo)
{
    FvCheckColour colour;
    fv_i32 least;
    fv_i32 most;
    fv_i32 bottom;
    fv_i32 top;
    fv_u32 weight[3];
    fv_i32 gain;  /* number of the first gain of HLG in the table; 0: none */
    fv_i32 gamut; /* 1: colours outside smaller gamuts are counted */
};
FV_POINTER(FvCheckVideo, FvCheckVideo_p);

FV_STRUCT(FvCheckArgs)
{
    FvPair_p pairs;
    FvCheckVideo_p videos; /* one per side */
    fv_u32_p table;        /* entries by code, or by value of a component; one table per side */
    fv_u32_p results;
    fv_u32 result_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 result_words;  /* words of a side's results */
    fv_u32 table_words;   /* words of a side's table */
    fv_i32 width[3];      /* size of each plane in samples; 0: the frame lacks it */
    fv_i32 height[3];
    fv_i32 depth;
    fv_i32 across[3]; /* workgroups in a row of each plane */
    fv_i32 first[3];  /* first workgroup of each plane; a plane's groups follow each other */
    fv_i32 groups;    /* workgroups of all planes */
    fv_i32 limit[2];  /* greatest luma code that counts as black, per side */
};

#endif
