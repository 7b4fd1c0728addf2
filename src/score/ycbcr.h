/* The Y'CbCr variant of two videos of which at least one stays RGB, for metrics that do not accept RGB. */
#pragma once

#include "picture/ycbcr_variant.h"
#include "score/compatibility.h"

typedef struct FvYcbcr {
    bool made; /* a metric needs the Y'CbCr variant; else the members below are unused */
    FvSourceInfo info[2];
    FvComparison comparison; /* the comparison of the Y'CbCr variants */
} FvYcbcr;

/*
 * Decides whether the Y'CbCr variant is needed: a video is RGB that may be converted (FV_RGB_BOTH), and the session
 * has a metric that does not accept RGB, or there is no session. Call it after fv_comparison_decide() of
 * `comparison`.
 */
FvStatus fv_ycbcr_decide(FvYcbcr *ycbcr, const FvComparison *comparison, FvError *error);

/* Opens the converters for the frames of each side. The caller closes both, also after a failure. */
FvStatus fv_ycbcr_open(const FvYcbcr *ycbcr, const FvComparison *comparison, FvVariants *variants[2], FvIsa isa,
                       int threads, FvError *error);
