/* Findings about two videos, from all pairs that were looked at. docs/doubt.md */
#pragma once

#include "doubt/colour.h"

typedef struct FvFindings {
    FvColourFit colour;
    unsigned lost; /* planes without colour: bit 1 Cb, bit 2 Cr */
    bool unrelated;
    int64_t lines[FV_AXES];       /* FV_LINES_SHIFT(e), FV_LINES_FIELDS, or FV_LINES_UNKNOWN */
    int64_t black[FV_AXES][2][2]; /* [axis][side][start, end]: least number of black lines of a pair */
    int64_t bars[FV_AXES][2][2];  /* the same where they are thin bars, and the other video has a picture; else 0 */
} FvFindings;

/* shifted: the pairs are known to show other frames than each other, which proves nothing about their content. */
void fv_findings_make(FvFindings *findings, const FvLook *looks, int count, bool shifted);
