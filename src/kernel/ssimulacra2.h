/* Arguments and constants of the SSIMULACRA 2 kernels. */
#ifndef FV_KERNEL_SSIMULACRA2_H
#define FV_KERNEL_SSIMULACRA2_H

#include "light.h"

/* Columns of a workgroup that compares; with the surroundings, a row has 64 samples. */
#define FV_SS2_AREA_WIDTH 56
#define FV_SS2_AREA_HEIGHT 32
#define FV_SS2_SUM_WORDS 6 /* words per sum: three limbs of 64 bits, lower word first */

FV_STRUCT(FvSs2Args)
{
    FvPair_p pairs;
    FvLightConstants_p constants;
    fv_f32_p curve;
    fv_f32_p work;      /* the pair's working memory */
    fv_u32_p sums;      /* [level][channel][term] x FV_SS2_SUM_WORDS; zero before the first level */
    fv_f32_p map;       /* the error map at the frame's size; the maps of other levels replace their light */
    fv_f32_p gains;     /* [channel][kind]: factors in the level's error map */
    fv_u32 work_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_u32 map_stride;
    fv_i32 width; /* width of the level */
    fv_i32 height;
    fv_i32 stride; /* stride of the level's planes, in floats */
    fv_i32 half_stride;
    fv_i32 light;     /* index of the level's light, six planes; -1 at level 0 */
    fv_i32 halved;    /* index of the next level's light; -1: not computed */
    fv_i32 channel;   /* index of X, Y and B of both frames: six planes, of which only the needed ones are written */
    fv_u32 wanted;    /* six bits per channel, as in FvSs2Tile.wanted */
    fv_u32 first_sum; /* number of the level's first sum */
};

#endif
