/* Normalises a signature to mean 0 and a fixed contrast, so that comparisons ignore gain and brightness. */
#pragma once

#include "picture/signature.h"

#define FV_EVEN_CONTRAST 1024 /* the fixed contrast: mean distance from the mean */

typedef struct FvEven {
    int16_t block[FV_SIGNATURE];
    int32_t quiet;    /* FV_SIGNATURE_QUIET, scaled as the picture was to reach FV_EVEN_CONTRAST */
    int32_t step;     /* distance from the previous picture of the video, at FV_EVEN_CONTRAST */
    int32_t contrast; /* mean distance from the mean in the signature, before normalisation */
    bool flat;        /* the picture has one colour, and all blocks are 0 */
} FvEven;

int32_t fv_even_mean(const int32_t signature[FV_SIGNATURE]);

/* Normalises a signature. mean: mean of the signature; step: distance from the previous signature of the video. */
void fv_even_make(FvEven *even, const int32_t signature[FV_SIGNATURE], int32_t mean, int32_t step);

int32_t fv_even_distance(const FvEven *a, const FvEven *b); /* sum of absolute differences */
