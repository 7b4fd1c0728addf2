/* The Y'CbCr form of two videos, of which one is RGB that is kept, for metrics that do not accept RGB. */
#pragma once

#include "picture/twin.h"
#include "score/compatibility.h"

typedef struct FvYcbcr {
    bool made; /* it is needed; else the members below are unused */
    FvSourceInfo info[2];
    FvComparison comparison; /* the comparison of the Y'CbCr forms */
} FvYcbcr;

/*
 * Decides whether it is needed, after fv_comparison_decide() of `comparison`. It is not if all metrics of the session
 * accept RGB, or if the videos are not RGB that may be converted (FV_RGB_BOTH). Without a session it always is.
 */
FvStatus fv_ycbcr_decide(FvYcbcr *ycbcr, const FvComparison *comparison, FvError *error);

/* Opens the converters for the frames of each side. The caller closes both, also after a failure. */
FvStatus fv_ycbcr_open(const FvYcbcr *ycbcr, const FvComparison *comparison, FvTwins *twins[2], FvIsa isa,
                       int threads, FvError *error);
