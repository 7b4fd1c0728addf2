/* The curve from scores to votes. docs/correlate.md has its definition. */
#pragma once

#include "fovea/correlate.h"

typedef struct FvFit {
    FvCurve curve;
    double p[5];                  /* parameters of standardised scores and votes */
    double mean[2], deviation[2]; /* mean and standard deviation of scores and of votes */
} FvFit;

/*
 * Fits the curve and writes predictions[count]; fills `parameter`, `parameters`, `step`, `open` and `turns` of
 * *result, whose `higher_is_better` counts. Both lists have spread. FV_ERROR_MEMORY is the only error.
 */
FvStatus fv_fit(FvFit *fit, FvCurve curve, const double *x, const double *y, int count, double *predictions,
                FvCorrelateResult *result, FvError *error);

/* The curve at a score. */
double fv_fit_at(const FvFit *fit, double x);
