/* A vector of binary64 numbers with as many lanes as a vector of binary32 numbers. */
#pragma once

#include "cpu/simd.h"

typedef union FvHalves {
    fv_f32 whole;
    fv_f32_half half[2];
} FvHalves;

typedef struct FvWide {
    fv_f64 half[2];
} FvWide;

FV_FN FvWide fv_widen(fv_f32 x)
{
    FvHalves halves = {x};
    return (FvWide){{fv_f64_from_f32(halves.half[0]), fv_f64_from_f32(halves.half[1])}};
}

FV_FN fv_f32 fv_narrow(FvWide x)
{
    return fv_join_f32(fv_f32_from_f64(x.half[0]), fv_f32_from_f64(x.half[1]));
}
