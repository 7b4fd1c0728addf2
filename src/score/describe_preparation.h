/* Describes for the report how each video was prepared, one sentence per step. */
#pragma once

#include "score/comparison.h"

/* Describe what the reader did: RGB converted to Y'CbCr, film grain omitted, alpha. */
FvStatus fv_treatment_report_rgb(const FvComparison *comparison, int side, FvError *error);
FvStatus fv_treatment_report_grain(const FvComparison *comparison, int side, FvError *error);
FvStatus fv_treatment_report_alpha(const FvComparison *comparison, int side, FvError *error);

/* Describes the steps after the reader. Call it once the preparation and the format of the side are decided. */
FvStatus fv_treatment_report(const FvComparison *comparison, int side, FvError *error);
