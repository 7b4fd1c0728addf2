/* Arguments of the kernel of Delta E ITP. */
#ifndef FV_KERNEL_ITP_H
#define FV_KERNEL_ITP_H

#include "light.h"

FV_STRUCT(FvItpArgs)
{
    FvPair_p pairs;
    FvLightConstants_p constants;
    fv_f32_p curve;
    fv_f32_p signal;    /* FvItpCurves.signal */
    fv_u32_p sums;      /* FvItpSum; each member has two words, the lower one first; initially zero */
    fv_f32_p map;       /* the pair's map of differences; used if map_pitch is not 0 */
    fv_u32 sums_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 map_stride;
    fv_i32 map_pitch; /* distance between rows of the map, in floats */
    fv_i32 width;
    fv_i32 height;
    fv_f32 gamma; /* gamma and peak of FvItpCurves */
    fv_f32 peak;
};

#endif
