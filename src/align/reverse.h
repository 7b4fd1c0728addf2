/* Finds a distorted video that runs backwards, from signatures of evenly spaced pairs. docs/doubt.md */
#pragma once

#include "align/even.h"

#define FV_REVERSE_MOST 64 /* maximum number of pairs that are kept */

typedef struct FvReverse {
    int64_t pairs, step; /* number of pairs added; distance of kept pairs, 0 before the first pair */
    int count;           /* number of kept pairs */
    FvEven *kept;        /* reference and distorted picture in turn; NULL before the first pair */
} FvReverse;

FvStatus fv_reverse_add(FvReverse *reverse, const int32_t reference[FV_SIGNATURE],
                        const int32_t distorted[FV_SIGNATURE], FvError *error);
bool fv_reverse_found(const FvReverse *reverse);
void fv_reverse_close(FvReverse *reverse);
