/* Arguments and constants of the SSIMULACRA 2 kernels. */
#ifndef FV_KERNEL_SSIMULACRA2_H
#define FV_KERNEL_SSIMULACRA2_H

#include "light.h"

#define FV_SS2_AREA_WIDTH 56 /* columns of a workgroup that compares; with the surroundings, a row has 64 samples */
#define FV_SS2_AREA_HEIGHT 32
#define FV_SS2_SUM_WORDS 6 /* three limbs of 64 bits, lower word first */

FV_STRUCT(FvSs2Args)
{
    FvPair_p pairs;
    FvLightConstants_p constants;
    fv_f32_p curve;
    fv_f32_p work;      /* working memory of a pair */
    fv_u32_p sums;      /* [level][channel][term] x FV_SS2_SUM_WORDS; zeroed before the first level */
    fv_f32_p map;       /* the picture's error map; those of other levels take the place of their light */
    fv_f32_p gains;     /* [channel][kind]: in the level's error map */
    fv_u32 work_stride; /* from pair to pair, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_u32 map_stride;
    fv_i32 width; /* width of the level */
    fv_i32 height;
    fv_i32 stride; /* stride of the level's planes, in floats */
    fv_i32 half_stride;
    fv_i32 light;  /* where the level's light begins: six planes; -1 at level 0 */
    fv_i32 halved; /* where the next level's light goes; -1: nowhere */
    fv_i32
        channel;   /* where X, Y and B of both pictures go: six planes of which only those that are wanted are made */
    fv_u32 wanted; /* six bits a channel, as FvSs2Tile.wanted */
    fv_u32 first_sum; /* first sum of this level */
};

#endif
