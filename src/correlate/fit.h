/* Fits the curve that predicts votes from scores. docs/correlate.md defines it. */
#pragma once

#include "fovea/correlate.h"

typedef struct FvFit {
    FvCurve curve;
    double p[5];                  /* parameters of the curve, for standardised scores and votes */
    double mean[2], deviation[2]; /* mean and standard deviation of scores and of votes */
} FvFit;

/*
 * Fits the curve and writes predictions[count]; fills `parameter`, `parameters`, `step`, `open` and `turns` of
 * *result. Reads result->higher_is_better. Neither list may be constant. FV_ERROR_MEMORY is the only error.
 */
FvStatus fv_fit(FvFit *fit, FvCurve curve, const double *x, const double *y, int count, double *predictions,
                FvCorrelateResult *result, FvError *error);

/* Returns the vote that the curve predicts for a score. */
double fv_fit_at(const FvFit *fit, double x);
