/* Arguments of the Butteraugli kernels, and the numbers of their planes. */
#ifndef FV_KERNEL_BUTTERAUGLI_H
#define FV_KERNEL_BUTTERAUGLI_H

#include "light.h"

/*
 * The planes of a level, by number; comments give the number of planes. For X, Y and B (or R, G and B), the distorted
 * frame's planes follow three after the reference's; for X and Y, two after. A stage reuses planes that earlier
 * stages no longer need.
 */
#define FV_BUTTER_LIGHT 0          /* 6 planes */
#define FV_BUTTER_REST 0           /* 6 planes: opsin without the low band; reuses the planes of light */
#define FV_BUTTER_OPSIN 6          /* 6 planes */
#define FV_BUTTER_LOW_SUM 18       /* 1 plane */
#define FV_BUTTER_ALL_HIGH 6       /* 4 planes; reuses opsin */
#define FV_BUTTER_LACK_MIDDLE 12   /* X and Y */
#define FV_BUTTER_MIDDLE_SQUARE 14 /* 3 planes */
#define FV_BUTTER_LACK_HIGH 0      /* X and Y; reuses the rest */
#define FV_BUTTER_LACK_HIGHEST 2   /* X and Y */
#define FV_BUTTER_HIGH_SQUARE 4    /* X and Y */
#define FV_BUTTER_OUTSIDE 10       /* X and Y */
#define FV_BUTTER_BUSY 17          /* plane of the reference; the distorted frame's plane is 19 */
#define FV_BUTTER_ACTIVITY 6       /* the reference's activity; reuses a plane of its high frequencies */
#define FV_BUTTER_CHANGE 7
#define FV_BUTTER_PLANES 20

#define FV_BUTTER_COLUMN 8 /* rows that a thread computes of a column */
/* Size in samples of a workgroup's area, by stage. */
#define FV_BUTTER_WALK_HEIGHT 184 /* height of a strip */
#define FV_BUTTER_OPSIN_WIDTH 64
#define FV_BUTTER_LOW_WIDTH 64
#define FV_BUTTER_MIDDLE_WIDTH 32
#define FV_BUTTER_HIGH_WIDTH 64
#define FV_BUTTER_MASK_WIDTH 64
#define FV_BUTTER_LINES_WIDTH 64
#define FV_BUTTER_LINES_HEIGHT 32

#define FV_BUTTER_SUM_WORDS (4 * 9 * 2 + 2) /* 64-bit digits, lower word first, then the maximum distance */

FV_STRUCT(FvButterArgs)
{
    FvPair_p pairs;
    FvLightConstants_p constants;
    fv_f32_p curve;
    fv_f32_p gains; /* factors of the level's blurs: [blur], of columns and then of rows */
    fv_f32_p work;  /* working memory of a pair */
    fv_u32_p sums;
    fv_f32_p map;       /* map of a pair; used if map_pitch is not 0 */
    fv_u32 work_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_u32 map_stride;
    fv_i32 map_pitch; /* distance between rows of the map, in floats */
    fv_i32 width;     /* width of the level */
    fv_i32 height;
    fv_i32 stride; /* stride of the level's planes, in floats */
    fv_i32 base;   /* index of the level's first plane in `work`, in floats */
    fv_i32 left;   /* columns and rows by which the level extends the frame at the left and at the top */
    fv_i32 above;
    fv_i32 picture_width;
    fv_i32 picture_height;
    fv_i32 half_base;   /* index of level 1's first plane; -1: there is none, or this is level 1 */
    fv_i32 half_stride; /* stride of level 1, in floats */
    fv_i32 half_map;    /* index of level 1's distances */
    fv_f32 intensity;
};

#endif
