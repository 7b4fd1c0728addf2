/* Arguments and constants of the PU21 kernel. */
#ifndef FV_KERNEL_PU21_H
#define FV_KERNEL_PU21_H

#include "light.h"

/* The constants of PU21, which follow the constants of linear light in memory. */
FV_STRUCT(FvPuConstants)
{
    fv_f32 weight[3];
    fv_f32 gamma;
    fv_f32 peak;
    fv_f32 p[7];
};

FV_POINTER(FvPuConstants, FvPuConstants_p);

FV_STRUCT(FvPuArgs)
{
    FvPair_p pairs;
    FvLightConstants_p constants;
    fv_f32_p curve;
    FvPuConstants_p encoding;
    /* The pair's working memory: units of the reference, then of the distorted frame, in rows without gaps. */
    fv_f32_p work;
    fv_u32_p sums;      /* FvPuSum; each member has two words, the lower one first; initially zero */
    fv_u32 work_stride; /* distance between pairs, in units of 256 bytes */
    fv_u32 sums_stride;
    fv_i32 width;
    fv_i32 height;
};

#endif
