/* Mistakes that only a part of two videos has. docs/doubt.md */
#pragma once

#include "doubt/findings.h"

#define FV_PARTS 5 /* maximum number of parts that are kept */

typedef struct FvParts {
    FvFindings part[FV_PARTS]; /* one finding each: those that begin first, in order */
    int count;                 /* number of all parts */
} FvParts;

/*
 * Finds runs of looks that all show the same mistake, where the whole clip does not. Removes from `whole` what a run
 * of looks contradicts, if parts have it. shifted: as in fv_findings_make().
 */
FvStatus fv_parts_find(FvParts *parts, FvFindings *whole, const FvLook *looks, int count, bool shifted,
                       FvError *error);
