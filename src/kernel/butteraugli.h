/* Arguments of the Butteraugli kernels, and where planes lie. */
#ifndef FV_KERNEL_BUTTERAUGLI_H
#define FV_KERNEL_BUTTERAUGLI_H

#include "light.h"

/*
 * Planes of a level, by number. The distorted picture's are three behind the reference's where there are X, Y and B
 * (R, G and B), and two behind where there are X and Y. A stage takes places that those before it have left.
 */
#define FV_BUTTER_LIGHT 0          /* 6 */
#define FV_BUTTER_REST 0           /* 6: opsin without the low band, instead of light */
#define FV_BUTTER_OPSIN 6          /* 6 */
#define FV_BUTTER_LOW_SUM 18       /* 1 */
#define FV_BUTTER_ALL_HIGH 6       /* 4: instead of opsin */
#define FV_BUTTER_LACK_MIDDLE 12   /* X, Y */
#define FV_BUTTER_MIDDLE_SQUARE 14 /* 3 */
#define FV_BUTTER_LACK_HIGH 0      /* X, Y; instead of the rest */
#define FV_BUTTER_LACK_HIGHEST 2   /* X, Y */
#define FV_BUTTER_HIGH_SQUARE 4    /* X, Y */
#define FV_BUTTER_OUTSIDE 10       /* X, Y */
#define FV_BUTTER_BUSY 17          /* plane of the reference; that of the distorted frame is 19 */
#define FV_BUTTER_ACTIVITY 6       /* plane of the reference's activity, which replaces its high frequencies */
#define FV_BUTTER_CHANGE 7
#define FV_BUTTER_PLANES 20

#define FV_BUTTER_COLUMN 8 /* rows that a thread makes of a column */
/* Samples of a workgroup. */
#define FV_BUTTER_WALK_HEIGHT 184 /* height of strips */
#define FV_BUTTER_OPSIN_WIDTH 64
#define FV_BUTTER_LOW_WIDTH 64
#define FV_BUTTER_MIDDLE_WIDTH 32
#define FV_BUTTER_HIGH_WIDTH 64
#define FV_BUTTER_MASK_WIDTH 64
#define FV_BUTTER_LINES_WIDTH 64
#define FV_BUTTER_LINES_HEIGHT 32

#define FV_BUTTER_SUM_WORDS (4 * 9 * 2 + 2) /* digits of 64 bits, lower word first; then the greatest distance */

FV_STRUCT(FvButterArgs)
{
    FvPair_p pairs;
    FvLightConstants_p constants;
    fv_f32_p curve;
    fv_f32_p gains; /* gains of the level: [blur], of columns and then of rows */
    fv_f32_p work;  /* working memory of a pair */
    fv_u32_p sums;
    fv_f32_p map;       /* map of a pair; used if map_pitch is not 0 */
    fv_u32 work_stride; /* from pair to pair, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_u32 map_stride;
    fv_i32 map_pitch; /* floats in a row of the map */
    fv_i32 width;     /* width of the level */
    fv_i32 height;
    fv_i32 stride; /* stride of the level's planes, in floats */
    fv_i32 base;   /* where the level's planes begin */
    fv_i32 left;   /* what extends the picture before its first column and row */
    fv_i32 above;
    fv_i32 picture_width;
    fv_i32 picture_height;
    fv_i32 half_base;   /* where the half level's planes begin; -1: there is none, or this is it */
    fv_i32 half_stride; /* stride of the half level, in floats */
    fv_i32 half_map;    /* where the half level's distances lie */
    fv_f32 intensity;
};

#endif
