/* What was done to the frames of each video before they are compared, in sentences of the report. */
#pragma once

#include "score/comparison.h"

/* By the reader: RGB that became Y'CbCr, film grain that was left out, alpha. */
FvStatus fv_treatment_tell_rgb(const FvComparison *comparison, int side, FvError *error);
FvStatus fv_treatment_tell_grain(const FvComparison *comparison, int side, FvError *error);
FvStatus fv_treatment_tell_alpha(const FvComparison *comparison, int side, FvError *error);

/* Afterwards, once the preparation and the format of the side are decided. */
FvStatus fv_treatment_tell(const FvComparison *comparison, int side, FvError *error);
