/* Findings about two videos, from the looks at their pairs. docs/doubt.md */
#pragma once

#include "doubt/colour.h"

#define FV_BAR_LEAST 2 /* minimum number of lines of a bar */

typedef struct FvFindings {
    int64_t first, frames; /* the part of the distorted video that has them; frames 0: all of it */
    FvColourFit colour;
    unsigned lost; /* planes that lost their colour: bit 1: Cb, bit 2: Cr */
    bool unrelated;
    int64_t lines[FV_AXES];       /* FV_LINES_SHIFT(e), FV_LINES_FIELDS, or FV_LINES_UNKNOWN */
    int64_t black[FV_AXES][2][2]; /* [axis][side][start, end]: minimum number of black lines over all looks */
    int64_t bars[FV_AXES][2][2];  /* `black`, if these lines are bars and bright in the other video; else 0 */
    bool barred[2];               /* [side]: the caller knows that all pictures have bars */
} FvFindings;

/* Returns whether a picture has a bar at this edge where the other picture is bright. */
bool fv_look_has_bar(const FvLook *look, int axis, int side, int end);

#define FV_UNRELATED_MOST 0.25 /* maximum squared correlation of the lumas of unrelated pictures */

/*
 * Returns whether a look shows that the two pictures are unrelated: their lumas have a squared correlation of at most
 * `most`. Above FV_UNRELATED_MOST it shows the contrary.
 */
FvVote fv_look_is_unrelated(const FvLook *look, double most);

/*
 * Makes the findings from `count` looks. shifted: the frames of the pairs are known not to match, so their difference
 * does not prove that the videos are unrelated.
 */
void fv_findings_make(FvFindings *findings, const FvLook *looks, int count, bool shifted);
