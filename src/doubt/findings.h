/* Findings about two videos, from the looks at their pairs. docs/doubt.md */
#pragma once

#include "doubt/colour.h"

typedef struct FvFindings {
    FvColourFit colour;
    unsigned lost; /* planes that lost their colour: bit 1: Cb, bit 2: Cr */
    bool unrelated;
    int64_t lines[FV_AXES];       /* FV_LINES_SHIFT(e), FV_LINES_FIELDS, or FV_LINES_UNKNOWN */
    int64_t black[FV_AXES][2][2]; /* [axis][side][start, end]: minimum number of black lines over all looks */
    int64_t bars[FV_AXES][2][2];  /* `black`, if these lines are thin bars and bright in the other video; else 0 */
} FvFindings;

/*
 * Makes the findings from `count` looks. shifted: the frames of the pairs are known not to match, so their difference
 * does not prove that the videos are unrelated.
 */
void fv_findings_make(FvFindings *findings, const FvLook *looks, int count, bool shifted);
