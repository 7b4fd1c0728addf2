/* Two videos of which one is RGB that is kept: the Y'CbCr that is made of both for metrics that take no RGB. */
#pragma once

#include "picture/twin.h"
#include "score/compatibility.h"

typedef struct FvYcbcr {
    bool made; /* else nothing below counts */
    FvSourceInfo info[2];
    FvComparison comparison; /* of Y'CbCr */
} FvYcbcr;

/*
 * After fv_comparison_decide of `comparison`. Nothing is made where all metrics of its session take RGB, or its
 * videos are not RGB that may be converted (FV_RGB_BOTH). Without a session it is always made.
 */
FvStatus fv_ycbcr_decide(FvYcbcr *ycbcr, const FvComparison *comparison, FvError *error);

/* What makes it of the frames of each side; both to be closed after a failure, too. */
FvStatus fv_ycbcr_open(const FvYcbcr *ycbcr, const FvComparison *comparison, FvTwins *twins[2], FvIsa isa,
                       int threads, FvError *error);
